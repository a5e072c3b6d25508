// Shows alerts that reach this browser as push messages (docs/contacts/web_push.md). It answers no requests of pages.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('push', (event) => event.waitUntil(show(event.data)))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path, acknowledgePath } = event.notification.data
  event.waitUntil(open(event.action === acknowledge ? acknowledgePath : path))
})

/** The name of the button beside a notification. */
const acknowledge = 'acknowledge'

/** Browsers end a subscription whose messages show nothing, so that one that cannot be read shows something as well. */
const unreadable = { title: 'Perigee', body: 'There is an alert. Open the console to read it.', url: '/' }

function show(data) {
  const { title, body, url, tag, acknowledge: link } = read(data)
  const path = pathOf(url)
  // Browsers without buttons leave them out.
  const button =
    link === undefined
      ? { data: { path } }
      : { data: { path, acknowledgePath: pathOf(link.url) }, actions: [{ action: acknowledge, title: link.label }] }
  // One that takes the place of another makes a sound again.
  const place = tag === undefined ? {} : { tag, renotify: true }
  return self.registration.showNotification(title, { body, ...button, ...place })
}

function pathOf(url) {
  return new URL(url, self.location.origin).pathname
}

function read(data) {
  try {
    return data.json()
  } catch {
    return unreadable
  }
}

async function open(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => new URL(url).pathname === path)
  return shown === undefined ? self.clients.openWindow(path) : shown.focus()
}
