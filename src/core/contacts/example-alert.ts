import type { StatusAlert } from './alerting.ts'

const minuteMs = 60_000

/** An alert of an incident that never was, for the preview of messages. */
export function exampleAlert(type: StatusAlert['type'], now: Date): StatusAlert {
  const isUp = type === 'monitor.up'
  const from = new Date(now.getTime() - 12 * minuteMs).toISOString()
  const at = isUp ? now.toISOString() : from
  return {
    type,
    timestamp: at,
    data: {
      monitor: {
        id: '00000000-0000-4000-8000-000000000001',
        name: 'Shop',
        kind: 'http',
        url: 'https://shop.example.com/',
        current_status: isUp ? 'up' : 'down',
      },
      incident: {
        id: '00000000-0000-4000-8000-000000000002',
        status: isUp ? 'resolved' : 'open',
        title: 'Shop is down',
        cause: 'The server answered 503.',
        started_at: from,
        resolved_at: isUp ? at : null,
      },
      result: {
        status: isUp ? 'up' : 'down',
        status_code: isUp ? 200 : 503,
        latency_ms: 87,
        location_code: 'local',
        error: isUp ? null : 'The server answered 503.',
      },
    },
  }
}
