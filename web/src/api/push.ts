import { t } from '@lingui/core/macro'
import { ApiError, ask } from './ask.ts'

/** By which a contact writes to this browser. */
export type PushSubscriptionOptions = { endpoint: string; p256dh: string; auth: string }

/** Shows the messages; its folder is the console's, so that it controls no page. */
const workerPath = '/console/push-worker.js'
const deadlineMs = 30_000

/** Browsers take push messages only for pages that came by TLS, or from this machine. */
export function isPushPossible(): boolean {
  return isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Asks for leave, at once after a press as browsers want it, and has the browser's push service take messages. */
export async function subscribeToPush(): Promise<PushSubscriptionOptions> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw refusal(t`This browser does not let this page show notifications. Allow them in its settings and try again.`)
  const { key } = await ask<{ key: string | null }>('/console/push-key.json')
  if (key === null) throw refusal(t`This installation sends no push messages.`)
  const { endpoint, keys } = await inTime(subscription(key)).catch(() => {
    throw refusal(t`The push service of this browser could not be reached. Some browsers have to be allowed to use it.`)
  })
  return { endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' }
}

async function subscription(key: string): Promise<PushSubscriptionJSON> {
  const registration = await navigator.serviceWorker.register(workerPath)
  await activated(registration)
  const { pushManager } = registration
  const held = await pushManager.getSubscription()
  // One of an installation that was here before, with other keys, would stand in the way.
  if (held !== null && !isFor(held, key)) await held.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  return made.toJSON()
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const text = btoa(String.fromCodePoint(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key
}

function activated({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const next = installing ?? waiting
  if (active !== null || next === null) return Promise.resolve()
  return new Promise((resolve, reject) => {
    next.addEventListener('statechange', () => {
      if (next.state === 'activated') resolve()
      if (next.state === 'redundant') reject(new Error('The worker could not be started.'))
    })
  })
}

/** Browsers wait for their push service without an end. */
function inTime<T>(promise: Promise<T>): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('The time is over.')), deadlineMs)
    }),
  ])
}

function refusal(message: string): ApiError {
  return new ApiError({ status: 0, code: 'push_failed', message })
}
