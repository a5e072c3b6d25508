import { type ReactNode, useState } from 'react'
import type { StatusPageRecord } from '../api/status-pages.ts'
import { CopyText } from '../parts/copy.tsx'
import { Empty } from '../parts/list.tsx'
import { Section } from '../parts/page.tsx'
import { inputClass } from '../parts/schema/fieldset.tsx'

/** What others put on their pages, with its text to copy. */
export function StatusPageEmbed({ page }: { page: StatusPageRecord }): ReactNode {
  const { url, title } = page
  const name = escapeHtml(title)
  const frame = `<iframe src="${url}/embed" title="${name}: status" width="100%" height="240" loading="lazy"></iframe>`
  return (
    <>
      <Section title="In a frame" lead="How all are, and each, on a page of yours.">
        <CopyText label="Code of the frame" text={frame} />
      </Section>
      <Section title="Badge of the page" lead="How all are, as an image that says so in words.">
        <Badge label="the page" src={`${url}/badge.svg`} alt={`Status of ${title}`} link={url} />
      </Section>
      <MonitorBadges page={page} />
      <Section title="For programs" lead="The page as JSON, and what happens as feeds.">
        <div className="flex flex-col gap-3">
          <CopyText label="JSON" text={`${url}.json`} />
          <CopyText label="Atom feed" text={`${url}/feed.atom`} />
          <CopyText label="RSS feed" text={`${url}/feed.rss`} />
        </div>
      </Section>
    </>
  )
}

const kinds = [
  { kind: 'state', label: 'State' },
  { kind: 'uptime', label: 'Uptime of 30 days' },
  { kind: 'response', label: 'Response time' },
] as const

function MonitorBadges({ page: { sections, url, response_charts: hasTimes } }: { page: StatusPageRecord }): ReactNode {
  const monitors = sections.flatMap((section) => section.monitors)
  const [chosen, setChosen] = useState(monitors[0]?.monitor_id ?? '')
  const monitor = monitors.find(({ monitor_id: id }) => id === chosen)
  return (
    <Section title="Badges of a monitor" lead="Under the name that the page shows.">
      {monitor === undefined ? (
        <Empty>No monitor stands on the page yet.</Empty>
      ) : (
        <div className="flex flex-col gap-5">
          <select
            aria-label="Monitor"
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
            className={`${inputClass} max-w-md`}
          >
            {monitors.map(({ monitor_id: id, monitor_name: own, name }) => (
              <option key={id} value={id}>
                {name ?? own}
              </option>
            ))}
          </select>
          {kinds
            .filter(({ kind }) => hasTimes || kind !== 'response')
            .map(({ kind, label }) => (
              <div key={kind} className="flex flex-col gap-2">
                <p className="text-sm font-medium">{label}</p>
                <Badge
                  label={label}
                  src={`${url}/badge/${chosen}/${kind}.svg`}
                  alt={`${label} of ${monitor.name ?? monitor.monitor_name}`}
                  link={url}
                />
              </div>
            ))}
        </div>
      )}
    </Section>
  )
}

type BadgeProps = { label: string; src: string; alt: string; link: string }

function Badge({ label, src, alt, link }: BadgeProps): ReactNode {
  const path = new URL(src).pathname
  const html = `<a href="${link}"><img src="${src}" alt="${escapeHtml(alt)}"></a>`
  return (
    <div className="flex flex-col gap-2">
      <img src={path} alt={alt} className="h-5 self-start" />
      <CopyText label={`HTML of ${label}`} text={html} />
      <CopyText label={`Markdown of ${label}`} text={`[![${escapeMarkdown(alt)}](${src})](${link})`} />
    </div>
  )
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Within the brackets of a link (CommonMark 6.3). */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`)
}
