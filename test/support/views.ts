import type { View } from '#core/incidents/view.ts'

/** Of a check that succeeded and saw nothing, but for what the test says. */
export function testView(parts: Partial<View> = {}): View {
  return {
    status: 'up',
    error: null,
    failed_assertion: null,
    failure: null,
    status_code: null,
    latency_ms: null,
    addresses: { resolved: [], dialled: [] },
    certificate: null,
    final_url: null,
    protocol: null,
    server: null,
    answers: null,
    ...parts,
  }
}
