# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Reads the PNG files that pictures are (8 bits each of red, green and blue), with what Python has."""
import struct
import zlib


def _paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def _unfilter(kind, line, above):
    """One row of pixels as it was before it was filtered [PNG, 9.2]."""
    for k in range(len(line)):
        left = line[k - 3] if k >= 3 else 0
        corner = above[k - 3] if k >= 3 else 0
        add = (0, left, above[k], (left + above[k]) // 2, _paeth(left, above[k], corner))[kind]
        line[k] = (line[k] + add) & 255
    return line


def read(path):
    """(width, height, rows), each row a bytearray of 3 bytes per pixel."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:8] != b'\x89PNG\r\n\x1a\n':
        raise ValueError('%s is no PNG' % path)
    at, packed, width, height = 8, b'', 0, 0
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b'IHDR':
            width, height, depth, color = struct.unpack('>IIBB', body[:10])
            if (depth, color) != (8, 2):
                raise ValueError('%s: 8 bits of red, green and blue are expected' % path)
        elif kind == b'IDAT':
            packed += body
    raw, rows, above = zlib.decompress(packed), [], bytearray(3 * width)
    for row in range(height):
        start = row * (3 * width + 1)
        above = _unfilter(raw[start], bytearray(raw[start + 1:start + 1 + 3 * width]), above)
        rows.append(above)
    return width, height, rows


def blocks(picture, size):
    """Means of size x size pixels, row by row, as (red, green, blue): fine detail, such as the shapes of
    letters, is gone; lines, areas and axes are not."""
    width, height, rows = picture
    means = []
    for top in range(0, height - size + 1, size):
        for left in range(0, 3 * (width - size + 1), 3 * size):
            parts = [rows[y][left:left + 3 * size] for y in range(top, top + size)]
            means.append(tuple(sum(sum(part[c::3]) for part in parts) / (size * size) for c in range(3)))
    return means
