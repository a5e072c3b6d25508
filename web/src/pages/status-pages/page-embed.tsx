import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { StatusPageRecord } from '../../api/status-pages.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { inputClass } from '../../parts/schema/fieldset.tsx'

/** The code for other websites, with its text to copy. */
export function StatusPageEmbed({ page }: { page: StatusPageRecord }): ReactNode {
  const { url, title } = page
  const name = escapeHtml(t`${title}: status`)
  const frame = `<iframe src="${url}/embed" title="${name}" width="100%" height="240" loading="lazy"></iframe>`
  return (
    <>
      <Section title={t`In a frame`} lead={t`The state of all monitors and of each, on your own page.`}>
        <CopyText label={t`Code of the frame`} text={frame} />
      </Section>
      <Section title={t`Badge of the page`} lead={t`The overall state, as an image with words.`}>
        <Badge
          html={t`HTML of the page`}
          markdown={t`Markdown of the page`}
          src={`${url}/badge.svg`}
          alt={t`Status of ${title}`}
          link={url}
        />
      </Section>
      <MonitorBadges page={page} />
      <Section title={t`For programs`} lead={t`The page as JSON, and its updates as feeds.`}>
        <div className="flex flex-col gap-3">
          <CopyText isNamed label={t`JSON`} text={`${url}.json`} />
          <CopyText isNamed label={t`Atom feed`} text={`${url}/feed.atom`} />
          <CopyText isNamed label={t`RSS feed`} text={`${url}/feed.rss`} />
        </div>
      </Section>
    </>
  )
}

type BadgeKind = { kind: string; label: string; of: (name: string) => string }

function badgeKinds(): readonly BadgeKind[] {
  return [
    { kind: 'state', label: t`State`, of: (name) => t`State of ${name}` },
    { kind: 'uptime', label: t`Uptime of 30 days`, of: (name) => t`Uptime of 30 days of ${name}` },
    { kind: 'response', label: t`Response time`, of: (name) => t`Response time of ${name}` },
  ]
}

function MonitorBadges({ page: { sections, url, response_charts: hasTimes } }: { page: StatusPageRecord }): ReactNode {
  const monitors = sections.flatMap((section) => section.monitors)
  const [chosen, setChosen] = useState(monitors[0]?.monitor_id ?? '')
  const monitor = monitors.find(({ monitor_id: id }) => id === chosen)
  return (
    <Section title={t`Badges of a monitor`} lead={t`Under the name that the page shows.`}>
      {monitor === undefined ? (
        <Empty>
          <Trans>No monitor is on the page yet.</Trans>
        </Empty>
      ) : (
        <div className="flex flex-col gap-5">
          <select
            aria-label={t`Monitor`}
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
          {badgeKinds()
            .filter(({ kind }) => hasTimes || kind !== 'response')
            .map(({ kind, label, of }) => (
              <div key={kind} className="flex flex-col gap-2">
                <p className="text-sm font-medium">{label}</p>
                <Badge
                  html={t`HTML of ${label}`}
                  markdown={t`Markdown of ${label}`}
                  src={`${url}/badge/${chosen}/${kind}.svg`}
                  alt={of(monitor.name ?? monitor.monitor_name)}
                  link={url}
                />
              </div>
            ))}
        </div>
      )}
    </Section>
  )
}

/** `html` and `markdown`: how its texts to copy are called. */
type BadgeProps = { html: string; markdown: string; src: string; alt: string; link: string }

function Badge({ html, markdown, src, alt, link }: BadgeProps): ReactNode {
  const path = new URL(src).pathname
  const code = `<a href="${link}"><img src="${src}" alt="${escapeHtml(alt)}"></a>`
  return (
    <div className="flex flex-col gap-2">
      <img src={path} alt={alt} className="h-5 self-start" />
      <CopyText isNamed label={html} text={code} />
      <CopyText isNamed label={markdown} text={`[![${escapeMarkdown(alt)}](${src})](${link})`} />
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
