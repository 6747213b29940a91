"""A mail server that keeps what it gets."""

from __future__ import annotations

import email
import email.message
import email.policy
import re

from aiosmtpd.controller import Controller

from .processes import eventually, free_port


class Mailbox:
    def __init__(self) -> None:
        self.mails: list[tuple[str, email.message.EmailMessage]] = []
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_DATA(self, server, session, envelope) -> str:
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((envelope.rcpt_tos[0], mail))
        return "250 OK"

    def to(self, address: str) -> list[email.message.EmailMessage]:
        return [mail for recipient, mail in list(self.mails) if recipient == address]

    def latest(self, address: str, count: int = 1) -> str:
        """The text of the newest mail to an address, once there are `count`."""
        eventually(lambda: len(self.to(address)) >= count, f"mail {count} to {address}", timeout=60)
        return self.to(address)[-1].get_body(("plain",)).get_content()

    def token(self, address: str, count: int = 1) -> str:
        found = re.search(r"token=([A-Za-z0-9_-]{43})", self.latest(address, count))
        assert found, self.latest(address, count)
        return found.group(1)

    def close(self) -> None:
        self._controller.stop()
