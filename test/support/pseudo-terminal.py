"""Runs `sh -c COMMAND` in a pseudo-terminal of its own and passes bytes on: our stdin is its keyboard, our stdout
its screen. Ends with the command's exit code."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2]
child, terminal = pty.fork()
if child == 0:
    # The window has its size before anything looks at it.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    os.execvp("sh", ["sh", "-c", command])


def screen():
    try:
        return os.read(terminal, 65536)
    except OSError:  # How Linux says that nobody has the terminal open any more.
        return b""


typed = b""
keyboard = [0]
while True:
    readable, writable, _ = select.select([terminal, *keyboard], [terminal] if typed else [], [])
    if terminal in readable:
        shown = screen()
        if not shown:
            break
        os.write(1, shown)
    if 0 in readable:
        keys = os.read(0, 65536)
        typed += keys
        if not keys:
            keyboard = []
    if writable:
        # As much as it takes at once: a terminal's buffer is small, and it must be read meanwhile.
        typed = typed[os.write(terminal, typed[:512]) :]

sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
