"""The second security reading (issue 38): what a second factor protects. Each test is named after what it found."""

from __future__ import annotations

import time

from accounts import signed_in, userinfo
from parts.processes import eventually
from test_second_factors import enrol, mailbox, messages, start  # noqa: F401 (fixtures)
from test_step_up import step_up


def test_a_step_up_does_not_renew_a_factor_that_was_not_shown(start, dev):  # noqa: F811
    """Item 7: a renewed sign-in keeps the second factor or renews the time, never both."""
    gateway = start(routes=[{"path": "/both/**", "access": {"acr": ["phr"], "secondFactor": True}}, {"path": "/acr/**", "access": {"acr": ["phr"]}}])
    client, bare = signed_in(gateway, dev, "one", "alice"), signed_in(gateway, dev, "one", "bob")
    enrol(gateway, client)
    before, without = userinfo(gateway, client), userinfo(gateway, bare)["auth_time"]
    eventually(lambda: time.time() > max(before["auth_time"], without) + 2, "a later second")
    done = step_up(gateway, dev, client, "/both/x")
    assert (done.status_code, done.headers["Location"]) == (303, "/both/x"), "nobody is asked for the second factor again"
    after = userinfo(gateway, client)
    assert after["second_factor"] == "totp" and after["auth_time"] == before["auth_time"], "the factor is as old as it was"
    assert client.get(gateway.url("/both/x"), timeout=10).status_code == 200
    # Without a factor to keep, the time is the new sign-in's.
    assert step_up(gateway, dev, bare, "/acr/x", person="bob").status_code == 303
    assert userinfo(gateway, bare)["auth_time"] > without
