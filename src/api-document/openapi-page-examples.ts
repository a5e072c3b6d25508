// Examples of status pages, maintenance and what programs ask for files in the API's documents.

const monitorId = '2f1e8a6c-94c5-4c7e-9a24-3a5b7c1d0e9f'

/** White, 16 by 16 pixels. */
const tinyPng = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR42mP4/5+BFAQA/U4f4d7IdZcAAAAASUVORK5CYII='

const page = {
  slug: 'shop',
  title: 'Shop',
  description: 'The state of our shop.',
  homepage: 'https://example.com',
  domain: null,
  language: 'en',
  theme: 'auto',
  accent: '#1558c0',
  layout: 'list',
  history: '90_days',
  response_charts: true,
  visibility: 'public',
  tags: ['shop'],
  monitor_tags: [],
}

const window = {
  name: 'Nightly backup',
  description: null,
  schedule: { type: 'weekly', weekdays: [1, 2, 3, 4, 5], starts: '02:00', duration_minutes: 30 },
  time_zone: 'Europe/Sofia',
  monitor_ids: [monitorId],
  monitor_tags: [],
  excludes_uptime: false,
  tags: [],
}

export const pageExamples = {
  StatusPageInput: { ...page, sections: [{ name: 'Web', monitors: [{ monitor_id: monitorId, name: null }] }] },
  StatusPageLogoInput: { image: tinyPng, alt: 'Acme' },
  StatusPageFaviconInput: { image: tinyPng },
  StatusPageChange: { title: 'Shop and warehouse' },
  StatusPage: {
    id: '0b9f6f0e-6a0c-4d53-9a0b-0f4f5d1c2e3a',
    ...page,
    url: 'http://127.0.0.1:3000/status/shop',
    domain_state: null,
    domain_record: null,
    logo: null,
    favicon: null,
    has_password: false,
    sections: [{ name: 'Web', monitors: [{ monitor_id: monitorId, monitor_name: 'Shop', name: null }] }],
    monitors: 1,
    subscribers: 12,
    created_at: '2026-01-31T12:00:00.000Z',
  },
  MaintenanceInput: window,
  MaintenanceWindow: {
    id: 'c3a1d5e2-7b4f-4e8a-b6d9-1f2e3d4c5b6a',
    ...window,
    current: null,
    next: [{ starts_at: '2026-02-02T00:00:00.000Z', ends_at: '2026-02-02T00:30:00.000Z' }],
    created_at: '2026-01-31T12:00:00.000Z',
  },
  ImportContinuation: { again: true },
  SecretComparison: {
    objects: [
      {
        section: 'monitors',
        id: monitorId,
        secrets: [{ path: ['request_headers', 'authorization'], value: 'Bearer …' }],
      },
    ],
  },
  Trial: { status: 'up', status_code: 200, latency_ms: 84, location_code: 'local', error: null, details: {} },
}
