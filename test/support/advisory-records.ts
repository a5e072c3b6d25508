// Records as the feeds have them, written for tests.
import type { OsvFile } from './feed-server.ts'

export type OsvChanges = {
  ecosystem?: string
  name?: string
  fixed?: string
  aliases?: string[]
  modified?: string
  withdrawn?: string
  summary?: string
  severity?: string
}

export function osvFile(id: string, changes: OsvChanges = {}): OsvFile {
  const { ecosystem = 'npm', name = 'left-pad', fixed = '1.2.0', modified = '2026-11-20T10:00:00Z' } = changes
  const text = JSON.stringify({
    id,
    modified,
    published: '2026-11-19T10:00:00Z',
    ...(changes.withdrawn === undefined ? {} : { withdrawn: changes.withdrawn }),
    aliases: changes.aliases ?? [],
    summary: changes.summary ?? `Something is wrong with ${name}`,
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
    database_specific: { severity: changes.severity ?? 'HIGH' },
  })
  return { ecosystem: ecosystem.split(':', 1)[0] ?? '', id, modified, text }
}

export function nvdRecord(
  id: string,
  changes: Record<string, unknown> = {},
): { lastModified: string } & Record<string, unknown> {
  return {
    id,
    published: '2026-11-19T10:00:00.000',
    lastModified: '2026-11-20T09:00:00.000',
    vulnStatus: 'Analyzed',
    descriptions: [{ lang: 'en', value: `What ${id} is about.` }],
    metrics: {
      cvssMetricV31: [
        {
          type: 'Primary',
          cvssData: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', baseScore: 9.8 },
        },
      ],
    },
    configurations: [
      { nodes: [{ negate: false, cpeMatch: [cpeMatch('f5:nginx', { versionEndExcluding: '1.27.1' })] }] },
    ],
    ...changes,
  }
}

export function cpeMatch(product: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { vulnerable: true, criteria: `cpe:2.3:a:${product}:*:*:*:*:*:*:*:*`, ...changes }
}

export function cveRecord(id: string, affected: unknown[], changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    dataType: 'CVE_RECORD',
    cveMetadata: {
      cveId: id,
      state: 'PUBLISHED',
      datePublished: '2026-11-19T10:00:00Z',
      dateUpdated: '2026-11-20T10:00:00Z',
    },
    containers: {
      cna: { title: `Title of ${id}`, descriptions: [{ lang: 'en', value: 'Words.' }], affected, ...changes },
    },
  })
}
