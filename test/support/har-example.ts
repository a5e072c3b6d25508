// A visit as Chromium's developer tools export it, cut to what matters: a sign-in with a form that has a token of its
// own, a question of a script with another one, and the files and other sites that come along.

type Sent = {
  method?: string
  type?: string
  headers?: Record<string, string>
  form?: { mimeType: string; text?: string; params?: { name: string; value?: string; fileName?: string }[] }
}
type Answered = {
  status?: number
  mimeType?: string
  text?: string
  headers?: Record<string, string>
  redirectURL?: string
}

const began = Date.parse('2026-11-28T12:00:00Z')
let count = 0

/** One entry; each begins a second after the one before, and took 200 ms. */
export function harEntry(url: string, sent: Sent = {}, answered: Answered = {}): object {
  const { method = 'GET', type = 'document', headers = {}, form } = sent
  const { status = 200, mimeType = 'text/html; charset=utf-8', text, redirectURL = '' } = answered
  count += 1
  return {
    startedDateTime: new Date(began + count * 1000).toISOString(),
    time: 200,
    ...(type === '' ? {} : { _resourceType: type }),
    request: {
      method,
      url,
      httpVersion: 'http/2.0',
      headers: listed(headers),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: form?.text?.length ?? 0,
      ...(form === undefined ? {} : { postData: form }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: listed(answered.headers ?? {}),
      cookies: [],
      content: { size: text?.length ?? 0, mimeType, ...(text === undefined ? {} : { text }) },
      redirectURL,
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 1, wait: 100, receive: 99 },
  }
}

function listed(headers: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

export function harOf(entries: readonly object[], title = 'https://shop.example.com/login'): string {
  const pages = [{ startedDateTime: new Date(began).toISOString(), id: 'page_1', title, pageTimings: {} }]
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages, entries },
  })
}

export const csrfToken = 'q8Zr2LkV0pT5mXn1'
export const bearerToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl'

const browser = {
  ':authority': 'shop.example.com',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'sec-fetch-site': 'same-origin',
  'user-agent': 'Mozilla/5.0',
}

export const harExample: string = harOf([
  harEntry(
    'https://shop.example.com/login?next=%2Fcart',
    { headers: { ...browser, accept: 'text/html', 'accept-language': 'en' } },
    { text: `<form><input type="hidden" name="csrf_token" value="${csrfToken}"><input name="password"></form>` },
  ),
  harEntry('https://shop.example.com/app.js', { type: 'script' }, { mimeType: 'text/javascript' }),
  harEntry('https://shop.example.com/logo.png', { type: 'image' }, { mimeType: 'image/png' }),
  harEntry('https://tracker.example.net/collect', { method: 'POST', type: 'fetch' }, { status: 204 }),
  harEntry(
    'https://shop.example.com/login',
    {
      method: 'POST',
      headers: {
        ...browser,
        'content-type': 'application/x-www-form-urlencoded',
        cookie: 'session=1',
        origin: 'https://shop.example.com',
        referer: 'https://shop.example.com/login?next=%2Fcart',
      },
      form: {
        mimeType: 'application/x-www-form-urlencoded',
        text: `user=ann%40example.com&password=hunter2&csrf_token=${csrfToken}`,
        params: [],
      },
    },
    { status: 302, redirectURL: '/cart' },
  ),
  harEntry('https://shop.example.com/cart'),
  harEntry(
    'https://api.shop.example.com/session',
    { type: 'xhr', headers: browser },
    { mimeType: 'application/json', text: JSON.stringify({ user: { name: 'Ann' }, access: { token: bearerToken } }) },
  ),
  harEntry(
    'https://api.shop.example.com/orders',
    {
      method: 'POST',
      type: 'fetch',
      headers: { ...browser, authorization: `Bearer ${bearerToken}`, 'content-type': 'application/json' },
      form: { mimeType: 'application/json', text: '{ "item": 7, "note": "a b" }' },
    },
    {
      status: 201,
      mimeType: 'application/json',
      text: '{"id":"6f1c0b1e-3f55-4d6e-9d7f-2a8c5f1b7e10"}',
    },
  ),
  harEntry('https://api.shop.example.com/orders/6f1c0b1e-3f55-4d6e-9d7f-2a8c5f1b7e10', { type: 'fetch' }),
])
