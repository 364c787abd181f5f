# OpenStack Swift with its interface of S3, as Debian has it (python3-swift): the account, the container, the object and the
# proxy server in one process on this machine alone, with one copy of everything in a folder that is given, and one user.
# Started by swift.ts. It says "ready" with the port once it answers.
import os
import sys

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True, time=True)

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402

folder, access_key, secret_key = sys.argv[1:]
settings = os.path.join(folder, 'settings')
devices = os.path.join(folder, 'devices')
account, user = access_key.split(':')

SWIFT = """
[swift-hash]
swift_hash_path_prefix = latebra
swift_hash_path_suffix = tests
[storage-policy:0]
name = one
default = yes
"""

BACKEND = """
[DEFAULT]
devices = {devices}
mount_check = false
log_address = {folder}/no-log
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""

PROXY = """
[DEFAULT]
log_address = {folder}/no-log
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth copy dlo versioned_writes symlink proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
check_bucket_owner = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


def write(name, text, **values):
    path = os.path.join(settings, name)
    with open(path, 'w') as file:
        file.write(text.format(devices=devices, folder=folder, **values))
    return path


os.makedirs(settings)
os.makedirs(os.path.join(devices, 'disk'))
write('swift.conf', SWIFT)
utils.SWIFT_CONF_FILE = os.path.join(settings, 'swift.conf')
utils.set_swift_dir(settings)

from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402

reload_storage_policies()


def serve(listener, path):
    app = loadapp(path, global_conf={'swift_dir': settings, 'log_name': os.path.basename(path)})
    eventlet.spawn(wsgi.server, listener, app, open(os.devnull, 'w'), keepalive=True)


listeners = {}
for kind in ['account', 'container', 'object']:
    listeners[kind] = eventlet.listen(('127.0.0.1', 0))
    ring = RingBuilder(2, 1, 0)
    port = listeners[kind].getsockname()[1]
    ring.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'disk', 'weight': 1})
    ring.rebalance()
    ring.get_ring().save(os.path.join(settings, kind + '.ring.gz'))
for kind, listener in listeners.items():
    serve(listener, write(kind + '.conf', BACKEND, kind=kind))
proxy = eventlet.listen(('127.0.0.1', 0))
serve(proxy, write('proxy.conf', PROXY, account=account, user=user, secret=secret_key))
print('ready', proxy.getsockname()[1], flush=True)
# It ends with whoever has started it.
eventlet.tpool.execute(sys.stdin.read)
