# The server of `weir view`: what a web page or a program on the same machine may try.
from case import Case

ATTACK = '''
import http.client, os, re, socket, subprocess, sys, time
weir = os.environ["W"]
subprocess.run([weir, "run", "s.toml", "--out", "r"], check=True, stdout=subprocess.DEVNULL)
open("secret.txt", "w").write("secret")
PREPARE
server = subprocess.Popen([weir, "view", "r"], stdout=subprocess.PIPE, text=True)
port = int(re.search(r":(\\d+)/", server.stdout.readline()).group(1))
def ask(path="/", method="GET", headers={}, timeout=5, body=None):
    start = time.time()
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    c.request(method, path, body=body, headers=headers)
    r = c.getresponse()
    return r.status, len(r.read()), time.time() - start
def raw(data, timeout=5):
    s = socket.create_connection(("127.0.0.1", port), timeout=timeout)
    s.sendall(data)
    answer = b""
    try:
        while chunk := s.recv(65536): answer += chunk
    except OSError: pass
    return answer
try:
    BODY
    assert ask()[0] == 200, "the page is there afterwards"
    print("held")
finally:
    server.terminate()
    server.wait()
'''


def attack(name, body, prepare="", **more):
    script = ATTACK.replace("PREPARE", prepare).replace("BODY", "\n    ".join(body.strip().split("\n")))
    return Case("server: " + name, "python3 attack.py", 0, "^held", files={"attack.py": script}, leaves=r"r|secret",
        **more)


CASES = [
    attack("1500 ranges in one request",
        'status, size, _ = ask(headers={"Range": "bytes=" + ",".join(["0-"] * 1500)})\n'
           'assert status == 416 and size < 10000, (status, size)'),
    attack("ranges beyond numbers",
        'for r in ("bytes=99999999999999999999999-", "bytes=5-1", "bytes=--", "bytes=-", "apples=1-2"):\n'
           '    assert ask(headers={"Range": r})[0] in (200, 206, 416), r'),
    attack("60 idle connections", 'idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]\n'
           'assert ask()[2] < 1.8, "others wait"'),
    attack("60 connections that send half a request",
        'idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]\n'
           'for s in idle: s.sendall(b"GET / HT")\nassert ask()[2] < 1.8, "others wait"'),
    attack("methods that change things", 'for m in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"):\n'
           '    status, _, took = ask("/report.html", m)\n    assert status == 405 and took < 1.8, (m, status, took)'),
    attack("a body that never comes",
        'a = raw(b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1000000000\\r\\n\\r\\n")\n'
           'assert a.startswith(b"HTTP/1.1 405"), a[:80]'),
    attack("a link out of the directory", 'assert ask("/out.csv")[0] == 404 and ask("/in.csv")[0] == 200',
           prepare='os.symlink("../secret.txt", "r/out.csv"); os.symlink("classes.csv", "r/in.csv")'),
    attack("paths out of the directory",
        'for p in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/r/../secret.txt",\n'
           '          "/%00", "/.hidden", "/" + "a" * 5000):\n    assert ask(p)[0] in (400, 404, 414), p',
           prepare='open("r/.hidden", "w").write("x")'),
    attack("a FIFO in the directory", 'assert ask("/fifo")[0] == 404', prepare='os.mkfifo("r/fifo")'),
    attack("another host",
        'assert ask(headers={"Host": "evil.example"})[0] == 403 and ask(headers={"Host": ""})[0] == 403'),
    attack("noise", 'raw(bytes(range(256)) * 40, 3)'), attack("a request line of a megabyte",
        'raw(b"GET /" + b"a" * 1000000, 3)'),
    attack("a hundred thousand headers", 'raw(b"GET / HTTP/1.1\\r\\n" + b"A: b\\r\\n" * 100000 + b"\\r\\n", 5)'),
    Case("server: report.html is a link out",
        "$W run s.toml --out r >/dev/null && mv r/report.html x.html && ln -s ../x.html r/report.html "
         "&& timeout 5 $W view r", 2, "link that leads out", leaves=r"r|x\.html"),
    Case("server: the port is taken",
        "python3 -c 'import socket,subprocess,os\ns=socket.socket();s.bind((\"127.0.0.1\",0));s.listen()\n"
         "w=os.environ[\"W\"];subprocess.run([w,\"run\",\"s.toml\",\"--out\",\"r\"],stdout=subprocess.DEVNULL)\n"
         "exit(subprocess.run([w,\"view\",\"r\",\"--port\",str(s.getsockname()[1])],timeout=10).returncode)'", 2,
             "taken", leaves="r"),
    Case("server: --live on a port beyond 65535", ["run", "s.toml", "--live", "--port", "65536", "--out", "r"], 2,
        "port|65536"),
]
