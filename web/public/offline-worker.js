// Shows a page of its own where the console cannot be reached (docs/decisions/offline-page.md). It answers nothing but
// the opening of pages of the console, always from the network as long as there is one, and keeps nothing of them.
const kept = 'perigee-offline'
const files = ['/console/offline.html', '/console/offline.css', '/console/favicon.svg']
const pages =
  /^\/(?:|sign-in|sign-up|welcome|monitors|incidents|contacts|objectives|maintenance|reports|status-pages|settings)(?:\/|$)/

self.addEventListener('install', (event) => {
  event.waitUntil(keep())
  self.skipWaiting()
})
self.addEventListener('activate', (event) => {
  // The page is asked for while the worker starts, so that it costs no time.
  event.waitUntil(self.registration.navigationPreload?.enable())
})
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== self.location.origin) return
  if (mode === 'navigate' && pages.test(pathname)) event.respondWith(open(event))
  else if (files.includes(pathname)) event.respondWith(readFile(event.request))
})

async function keep() {
  const cache = await caches.open(kept)
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))
}

async function open({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return (await caches.match(files[0])) ?? Response.error()
  }
}

async function readFile(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(new URL(request.url).pathname)) ?? Response.error()
  }
}
