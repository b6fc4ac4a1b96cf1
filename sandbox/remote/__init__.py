"""Sessions that live on a server: the interface of the local session, over REST or MCP."""

from toolgym.sandbox.remote.sandbox import RemoteSandbox as RemoteSandbox
from toolgym.sandbox.remote.session import RemoteSession as RemoteSession
