import type { ReactNode } from 'react'
import type { KindName } from '../../api/monitors.ts'

const steps = 'M2 13h3.7V9.5h3.6V6h3.7M10.5 3.3 13.2 6l-2.7 2.7'

const database =
  'M8 7c3 0 5-1.1 5-2.5S11 2 8 2 3 3.1 3 4.5 5 7 8 7zM3 4.5v7C3 12.9 5 14 8 14s5-1.1 5-2.5v-7M3 8c0 1.4 2 2.5 5 2.5S13 9.4 13 8'

/** Lines of 1.5 in a square of 16, as the icons of the navigation are. */
const drawn: Readonly<Record<KindName, string>> = {
  http: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c1.7 1.8 2.5 3.8 2.5 6S9.7 12.2 8 14M8 2C6.3 3.8 5.5 5.8 5.5 8s.8 4.2 2.5 6',
  api: 'M5.5 2.5c-1.6 0-2 .8-2 2v1.6C3.5 7.3 3 8 1.8 8c1.2 0 1.7.7 1.7 1.9v1.6c0 1.2.4 2 2 2M10.5 2.5c1.6 0 2 .8 2 2v1.6c0 1.2.5 1.9 1.7 1.9-1.2 0-1.7.7-1.7 1.9v1.6c0 1.2-.4 2-2 2',
  transaction: steps,
  micro_transaction: steps,
  extended_transaction: steps,
  paid_endpoint:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM10 6.2c-.4-.7-1.1-1-2-1-1.2 0-2 .6-2 1.4 0 2 4 .8 4 2.8 0 .8-.8 1.4-2 1.4-.9 0-1.6-.3-2-1M8 4v1.2M8 10.8V12',
  browser: 'M1.5 2.8h13v10.4h-13zM1.5 6h13M3.8 4.4v.01M5.8 4.4v.01M7.8 4.4v.01',
  page_speed: 'M2.6 12.5a6.5 6.5 0 1 1 10.8 0M8 9.5l3-3.5M8 9.5v.01',
  cloud_status: 'M4.5 12.5h7.2a2.8 2.8 0 0 0 .4-5.6 4.2 4.2 0 0 0-8.1.3 2.7 2.7 0 0 0 .5 5.3z',
  ping: 'M8 9.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4zM5.2 10.8a4 4 0 0 1 0-5.6M10.8 5.2a4 4 0 0 1 0 5.6M3 13A7 7 0 0 1 3 3M13 3a7 7 0 0 1 0 10',
  tcp: 'M5 2v3.5M11 2v3.5M3 5.5h10V8a5 5 0 0 1-10 0zM8 13v1.5',
  udp: 'M1.8 8h2M6 8h4M12.2 8h2M11 4.8 14.2 8 11 11.2',
  ntp: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  ssh: 'M1.5 2.8h13v10.4h-13zM4.2 6l2 2-2 2M8 10.2h3.5',
  ftps: 'M2 13V3.5h4.2l1.5 2H14V13zM8 11.2V7.8M6.3 9.4 8 7.7l1.7 1.7',
  game_server:
    'M4.8 4.5h6.4a3.5 3.5 0 0 1 3.3 3.2l.3 3a1.7 1.7 0 0 1-3.1 1.1L10.5 10h-5l-1.2 1.8a1.7 1.7 0 0 1-3.1-1.1l.3-3a3.5 3.5 0 0 1 3.3-3.2zM5.2 6.5v2M4.2 7.5h2M10.5 7.5v.01',
  ssl: 'M3.5 7h9v6.5h-9zM5.2 7V4.8a2.8 2.8 0 0 1 5.6 0V7M8 9.7v1.3',
  domain: 'M2 2.5h5.7L14 8.8 8.8 14 2 7.2zM5 5.5v.01',
  dns: 'M8 2.5v3M3.5 10.5V8h9v2.5M8 5.5V8M6.5 1.5h3v2.5h-3zM2 10.5h3V13H2zM11 10.5h3V13h-3z',
  smtp: 'M1.5 3.5h13v9h-13zM1.8 4 8 8.8 14.2 4',
  imap: 'M1.8 9.5 3.8 3h8.4l2 6.5v3.5H1.8zM1.8 9.5h3.7l1 1.8h3l1-1.8h3.7',
  pop: 'M1.8 9.5v3.5h12.4V9.5M8 2v7M5.2 6.5 8 9.3l2.8-2.8',
  email_auth: 'M8 1.5l5.5 2V8c0 3.3-2.3 5.5-5.5 6.5C4.8 13.5 2.5 11.3 2.5 8V3.5zM5.6 7.9l1.8 1.8 3.2-3.4',
  blacklist: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
  malware:
    'M5 6.5a3 3 0 0 1 6 0v3.5a3 3 0 0 1-6 0zM5 8.5H2M14 8.5h-3M5.3 5.5 3.3 3.5M10.7 5.5l2-2M5.3 11.2l-2 2M10.7 11.2l2 2M8 4v9',
  repository:
    'M4.5 5.5v5M4.5 5.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM4.5 13.9a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM11.5 7.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM11.5 7.2c0 2.3-3 2.6-5.5 3.8',
  grpc: 'M1.5 5h4v6h-4zM10.5 5h4v6h-4zM5.5 6.8h5M9 5.3l1.5 1.5M10.5 9.2h-5M7 10.7 5.5 9.2',
  websocket: 'M2 5.5h10.5M9.5 2.5l3 3-3 3M14 10.5H3.5M6.5 7.5l-3 3 3 3',
  push_metric: 'M2 13a6.5 6.5 0 1 1 12 0M8 11l3-4M2 13h2M12 13h2',
  postgresql: database,
  mqtt: 'M2 8.5A5.5 5.5 0 0 1 7.5 14M2 5a9 9 0 0 1 9 9M2 1.5A12.5 12.5 0 0 1 14.5 14M2 14h1.5v-1.5H2z',
  rabbitmq: 'M2 4.5h12v7H2zM2 5l6 4 6-4M5 14h6M5 2h6',
  mysql: database,
  ldap: 'M6 2h4v3H6zM1.5 11h4v3h-4zM10.5 11h4v3h-4zM8 5v3M3.5 11V8h9v3',
  snmp: 'M1.5 5.5h13v5h-13zM4 8v.01M6.5 8v.01M9 8v.01M11.5 8h1M4 5.5V3M12 5.5V3M4 13v-2.5M12 13v-2.5',
  redis: 'M2 4.5 8 7l6-2.5L8 2zM2 4.5v7L8 14l6-2.5v-7M2 8l6 2.5L14 8',
  heartbeat: 'M8 13.5 2.7 8.2a3.2 3.2 0 0 1 4.5-4.6l.8.8.8-.8a3.2 3.2 0 0 1 4.5 4.6zM4.8 8h1.7l1-1.8 1.3 3 1-1.2h1.4',
  webhook:
    'M6.3 6.2a2.8 2.8 0 1 1 3.6.4l2 3.6M9.8 11.4a2.8 2.8 0 1 0 2.1-1.3M6.1 11.4H10M6.1 11.4a2.8 2.8 0 1 1-3.2-2.8M7.6 5.4 5.1 10',
  group: 'M8 1.8 14.5 5 8 8.2 1.5 5zM1.5 8 8 11.2 14.5 8M1.5 11 8 14.2 14.5 11',
}

export function KindIcon({ kind }: { kind: KindName }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="size-5 shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={drawn[kind]} />
    </svg>
  )
}
