// Status pages of Uptime Kuma, whose groups become sections.
import type { Findings, Where } from '#core/imports/findings.ts'
import type { ImportedPage } from '#core/imports/imported.ts'
import { kumaPlace, type KumaRow, type KumaTables } from './kuma-rows.ts'
import { oneLine, shown } from '#core/imports/monitor-parts.ts'
import { slugOf } from '#core/imports/page-parts.ts'

type Page = KumaRow<'status_page'>
type Sections = NonNullable<ImportedPage['input']['sections']>

/** `keys` are those of the monitors that arrive, by their ids there. */
export function readKumaPages(tables: KumaTables, keys: ReadonlyMap<number, string>, findings: Findings): void {
  const groups = Map.groupBy(tables.group, ({ status_page_id: id }) => id)
  const members = Map.groupBy(tables.monitor_group, ({ group_id: id }) => id)
  for (const row of tables.status_page) {
    const where = { place: kumaPlace('status_page', { id: row.id, name: row.title }), findings }
    const title = oneLine(row.title ?? row.slug ?? '', 160)
    const domain = domainOf(tables, row, where)
    noteLooks(row, where)
    findings.addPage({
      key: findings.keyOf('pages', row.slug ?? title),
      place: where.place,
      input: {
        slug: slugOf(row.slug ?? title, { place: `${where.place}.slug`, findings }),
        title: title === '' ? 'Status' : title,
        description: Array.from(row.description ?? '')
          .slice(0, 1000)
          .join(''),
        theme: themeOf(row.theme),
        visibility: row.published ? 'public' : 'draft',
        ...(domain === null ? {} : { domain }),
        sections: sectionsOf(groups.get(row.id) ?? [], members, { keys, where }),
      },
    })
  }
  const pinned = tables.incident.filter(({ active, pin }) => active && pin).length
  if (pinned > 0) findings.lost('incident', `Announcements that are pinned to pages are not imported: ${pinned}.`)
}

function themeOf(theme: string | null): 'auto' | 'light' | 'dark' {
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

function domainOf({ status_page_cname: domains }: KumaTables, { id }: Page, { place, findings }: Where): string | null {
  const [first = null, ...more] = domains.flatMap((row) => (row.status_page_id === id ? (row.domain ?? []) : []))
  if (more.length > 0)
    findings.lost(
      `${place}.domain`,
      `In Perigee, a page has one custom domain. These are not used: ${more.slice(0, 5).map(shown).join(', ')}.`,
    )
  return first
}

function noteLooks({ footer_text: footer, custom_css: css }: Page, { place, findings }: Where): void {
  if (footer !== null) findings.lost(`${place}.footer_text`, 'In Perigee, a page has no custom footer.')
  // An empty form of the console leaves a rule that does nothing.
  if (css !== null && !/^\s*body\s*\{\s*\}\s*$/.test(css))
    findings.lost(`${place}.custom_css`, 'In Perigee, a page has no custom style sheet.')
}

const maxSections = 50
const maxMonitors = 200

function sectionsOf(
  groups: readonly KumaRow<'group'>[],
  membersOf: ReadonlyMap<number, readonly KumaRow<'monitor_group'>[]>,
  { keys, where: { place, findings } }: { keys: ReadonlyMap<number, string>; where: Where },
): Sections {
  const shownOn = new Set<number>()
  let missing = 0
  let repeated = 0
  const sections = groups.toSorted(byWeight).map((group) => {
    const members = membersOf.get(group.id) ?? []
    const monitors = members.toSorted(byWeight).flatMap(({ monitor_id: monitorId }) => {
      const key = keys.get(monitorId)
      if (key === undefined) missing += 1
      else if (shownOn.has(monitorId)) repeated += 1
      else if (shownOn.size < maxMonitors) {
        shownOn.add(monitorId)
        return [{ monitor_id: key, name: null }]
      } else missing += 1
      return []
    })
    return { name: oneLine(group.name ?? '', 160), monitors }
  })
  if (missing > 0) findings.lost(`${place}.groups`, `Monitors that were not imported are not on the page: ${missing}.`)
  if (repeated > 0)
    findings.changed(
      `${place}.groups`,
      `In Perigee, a monitor is on a page only once, where it came first. Left out: ${repeated}.`,
    )
  if (sections.length > maxSections)
    findings.lost(`${place}.groups`, `A page holds ${maxSections} of its ${sections.length} groups.`)
  return sections.slice(0, maxSections)
}

type Weighed = { id?: number; weight: number | null }

function byWeight(one: Weighed, other: Weighed): number {
  return (one.weight ?? 1000) - (other.weight ?? 1000) || (one.id ?? 0) - (other.id ?? 0)
}
