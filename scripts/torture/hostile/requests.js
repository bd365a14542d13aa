/** What goes around a body, or instead of one. */
export const CONTENT_TYPES = [
  ...[
    'application/json',
    'application/json; charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'multipart/form-data',
  ],
  ...['multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(300)}`],
  ...[
    'text/plain',
    'application/xml',
    'application/x-yaml',
    '',
    ';',
    '*/*',
    'a/b/c',
    'application/graphql',
  ],
]

export const AUTHORIZATIONS = [
  ...[
    '',
    'Token',
    'Token ',
    'Token  x',
    'Token x y',
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'Basic YTpi',
    'Basic %',
  ],
  ...['Token lk_x', `Token ${'a'.repeat(40)}`, `Bearer ${'a'.repeat(6000)}`, 'Digest x', 'token é'],
  ...[
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA',
    'Bearer ..',
    'Bearer -.-.-',
  ],
]

export const COOKIES = [
  ...[
    'sessionid=',
    'sessionid=x; sessionid=y',
    'csrftoken=%00',
    '__Host-x=1',
    '=',
    ';;;;',
    'a',
    `a=${'b'.repeat(4000)}`,
  ],
  ...['sessionid="', 'sessionid=%ff%fe', 'latchkey_admin=x', `${'a=b; '.repeat(400)}`],
]

export const HEADERS = [
  ...[{ accept: '*/*' }, { accept: 'text/html;q=broken' }, { 'accept-language': 'x'.repeat(3000) }],
  ...[
    { 'accept-language': 'de;q=2,*;q=-1,,,' },
    { 'content-encoding': 'gzip' },
    { 'x-request-id': 'é'.repeat(50) },
  ],
  ...[
    { 'x-request-id': 'x'.repeat(5000) },
    { 'x-forwarded-for': ','.repeat(3000) },
    { origin: 'null' },
  ],
  ...[
    { origin: 'http://[' },
    { referer: '%%%' },
    { 'x-http-method-override': 'DELETE' },
    { range: 'bytes=0-' },
  ],
  ...[
    { 'x-csrftoken': 'x'.repeat(5000) },
    { 'x-error-codes': '1' },
    { 'if-none-match': '*' },
    { te: 'trailers' },
  ],
  ...[
    { 'sec-fetch-dest': 'iframe' },
    { 'x-forwarded-proto': 'gopher' },
    { 'x-forwarded-host': 'evil.example' },
  ],
]

export const SEGMENTS = [
  ...[
    '%00',
    '%ff',
    '%',
    '%2e%2e',
    '..',
    '.',
    '%2f',
    '%5c',
    '%20',
    '1',
    '0',
    '-1',
    '99999999999999999999',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '1e3',
    '%F0%9F%92%A9',
    'x'.repeat(3000),
    "'",
    '%27--',
    '*',
    ':pk',
  ],
]

export const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
]

/** Bytes that are no request at all. */
export const WIRES = [
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET /auth/user/ HTTP/1.1\r\n\r\n',
  'get /auth/user/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /auth/user/ HTTP/1.1\nHost: x\n\n',
  'GET http://evil.example/auth/user/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET \u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
  'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}',
  `GET /auth/user/ HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
  `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'GET /auth/user/ HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n',
  'GET /auth/user/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]
