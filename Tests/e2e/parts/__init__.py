"""The processes and sockets that the tests stand between."""
