"""A real app behind a header of its own: Radicale believes `X-Remote-User`, and lets everybody into their own calendars only."""

from __future__ import annotations

import pytest

from logins import new_client, sign_in


@pytest.fixture(scope="module")
def calendars(start_gateway, dev, radicale):
    return start_gateway(
        {"upstream": radicale.origin, "providers": [dev.configuration], "identity": {"headers": {"X-Remote-User": "{{ username }}"}}},
        name="gateway-radicale",
    )


def test_alice_reaches_her_calendars_and_not_bobs(calendars, dev):
    """issue "Real parts": /alice/ works, /bob/ is 403, by the app's own decision on our header."""
    alice = sign_in(calendars, dev, person="alice")
    listing = alice.request("PROPFIND", calendars.url("/alice/"), headers={"Depth": "1"})
    assert listing.status_code == 207 and "/alice/" in listing.text
    assert alice.request("MKCALENDAR", calendars.url("/alice/tea/")).status_code == 201
    event = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//gateway//tests//EN\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T090000Z\r\nSUMMARY:Tea\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    assert alice.put(calendars.url("/alice/tea/one.ics"), data=event, headers={"Content-Type": "text/calendar"}).status_code == 201
    assert "SUMMARY:Tea" in alice.get(calendars.url("/alice/tea/one.ics")).text
    assert alice.request("PROPFIND", calendars.url("/bob/"), headers={"Depth": "1"}).status_code == 403

    bob = sign_in(calendars, dev, person="bob")
    assert bob.get(calendars.url("/alice/tea/one.ics")).status_code == 403
    assert bob.request("PROPFIND", calendars.url("/bob/"), headers={"Depth": "1"}).status_code == 207


@pytest.mark.parametrize("name", ["X-Remote-User", "x-remote-user", "X_Remote_User", "X.Remote.User", "X-REMOTE_USER"])
def test_a_header_that_the_client_sends_makes_nobody_somebody_else(calendars, dev, name):
    """§4: WSGI folds all of these to HTTP_X_REMOTE_USER; the app must see only ours (CVE-2025-64484)."""
    bob = sign_in(calendars, dev, person="bob")
    assert bob.request("PROPFIND", calendars.url("/alice/"), headers={"Depth": "1", name: "alice"}).status_code == 403
    assert new_client().request("PROPFIND", calendars.url("/alice/"), headers={"Depth": "1", name: "alice"}).status_code == 401
