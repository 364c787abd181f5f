# Reads Latebra paper. Standard input: the texts of its QR codes, one a line, in any order. Standard output: what it holds.
#     zbarimg --raw -q scans/* | python3 read-paper.py > entries.json
import base64, hashlib, sys, zlib

# The field of 256 elements, modulo 0x11D: adding is exclusive or, multiplying goes by logarithms.
powers, logs, value = [0] * 510, [0] * 256, 1
for i in range(255):
    powers[i] = powers[i + 255] = value
    logs[value] = i
    value = value << 1 ^ (0x11D if value & 0x80 else 0)

def times(a, b): return powers[logs[a] + logs[b]] if a and b else 0
def inverse(a): return powers[255 - logs[a]]
def multiple(block, by): return block.translate(bytes(times(by, b) for b in range(256)))
def added(one, other): return bytes(a ^ b for a, b in zip(one, other))

papers = {}  # by what all codes of a paper say alike: their blocks, by number
for line in open(0, encoding="ascii", errors="replace"):
    text, _, check = line.strip().rpartition(":")
    fields = text.split(":")
    if len(fields) != 9 or fields[0] != "LATEBRA PAPER 1": continue
    if "%08X" % zlib.crc32(text.encode()) != check: continue
    block = base64.b32decode(fields[8] + "=" * (-len(fields[8]) % 8))
    papers.setdefault((fields[1], *map(int, fields[3:8])), {})[int(fields[2])] = block

def restored(blocks, stripe, data, total, stripes):
    """Makes the lost blocks of one stripe from its spare ones; says how many more are needed."""
    wanted = range(stripe, data, stripes)
    lost = [n for n in wanted if n not in blocks]
    spare = [n for n in range(data, total) if n % stripes == stripe and n in blocks][:len(lost)]
    if len(spare) < len(lost): return len(lost) - len(spare)
    share = lambda n, c: inverse(n // stripes ^ c // stripes)  # what spare block n has of block c
    rows = []
    for n in spare:
        rest = blocks[n]
        for c in wanted:
            if c in blocks: rest = added(rest, multiple(blocks[c], share(n, c)))
        rows.append((bytes(share(n, c) for c in lost), rest))
    for i in range(len(lost)):  # Gauss and Jordan
        by = inverse(rows[i][0][i])
        rows[i] = [multiple(part, by) for part in rows[i]]
        for j in range(len(lost)):
            if j != i: rows[j] = [added(a, multiple(b, rows[j][0][i])) for a, b in zip(rows[j], rows[i])]
    for n, (_, block) in zip(lost, rows): blocks[n] = block
    return 0
problems = [] if papers else ["There is no code of a Latebra paper here."]
for (number, data, total, stripes, per_sheet, length), blocks in papers.items():
    seen = {n // per_sheet + 1 for n in blocks}
    missing = sum([restored(blocks, stripe, data, total, stripes) for stripe in range(stripes)])
    packed = b"".join(blocks.get(n, b"") for n in range(data))[:length]
    if missing:
        sheets = [n for n in range(1, -(-total // per_sheet) + 1) if n not in seen]
        problems.append("%d more codes are needed. Sheets without any: %s" % (missing, sheets or "none"))
    elif base64.b32encode(hashlib.sha256(packed).digest()[:20]).decode() != number:
        problems.append("These codes do not belong together, or one was misread.")
    else: sys.stdout.buffer.write(zlib.decompress(packed, -15))
if problems: sys.exit("\n".join(problems))
