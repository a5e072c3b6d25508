import type { Evidence } from '#core/incidents/evidence.ts'

/** Of a check that failed and saw nothing, but for what the test says. */
export function testEvidence(parts: Partial<Evidence> = {}): Evidence {
  return {
    error: 'It failed',
    failed_assertion: null,
    failure: null,
    status_code: null,
    phases: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
    addresses: { resolved: [], dialled: [] },
    tls: null,
    answer: null,
    details: {},
    log: null,
    page: null,
    ...parts,
  }
}
