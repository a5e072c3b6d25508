import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { MonitorView, MonitorViews } from '../../api/overview.ts'
import { overviewApi } from '../../api/overview.ts'
import { Section, linkClass } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Time, useNow } from '../../parts/time.tsx'
import { useMatches } from '../../parts/use-matches.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { milliseconds } from '../monitor/details.ts'

const readAgainMs = 15_000
/** On the page of its monitor a disagreement is shown for a day. */
const shownMs = 24 * 3_600_000

/** Where links lead to it. */
const viewsId = 'views'

type ViewsProps = { monitorId: string; incidentId?: string }

type Disagreement = { data: MonitorViews; sentence: string; said: string; at: string }

/** Null where locations did not disagree, and on the page of a monitor after a day. */
function useDisagreement({ monitorId, incidentId }: ViewsProps): Disagreement | null {
  const { workspace } = useWorkspace()
  const { data } = useRead(`views of ${monitorId} ${incidentId ?? ''}`, {
    read: () => overviewApi(workspace.id).readViews(monitorId, incidentId ?? null),
    everyMs: readAgainMs,
  })
  const now = useNow()
  const { disagreement: sentence, views } = data
  const failing = views.filter(({ status }) => status === 'down')
  const at = failing
    .map(({ seen_at: seen }) => seen)
    .toSorted()
    .at(-1)
  if (sentence === null || at === undefined) return null
  if (incidentId === undefined && now - Date.parse(at) > shownMs) return null
  const count = failing.length
  const said = plural(views.length, {
    one: `${count} of # location saw it down`,
    other: `${count} of # locations saw it down`,
  })
  return { data, sentence, said, at }
}

/** How many locations saw it down, as a link to what each of them saw. */
export function ViewsLink(props: ViewsProps): ReactNode {
  const found = useDisagreement(props)
  if (found === null) return null
  return (
    <>
      {' · '}
      <a href={`#${viewsId}`} className={linkClass}>
        {found.said}
      </a>
    </>
  )
}

/** What each location saw, side by side; nothing where locations did not disagree. All that targets sent is text. */
export function LocationViews(props: ViewsProps): ReactNode {
  const found = useDisagreement(props)
  if (found === null) return null
  const { data, sentence, said, at } = found
  return (
    <div id={viewsId} className="scroll-mt-4">
      <Section
        title={t`Why locations disagree`}
        lead={
          <>
            {said} · <Ago at={at} />
          </>
        }
      >
        <p className="mb-4 font-medium wrap-anywhere">{sentence}</p>
        <Matrix of={data} />
      </Section>
    </div>
  )
}

type RowOf = {
  name: MessageDescriptor
  member: MonitorViews['differs'][number] | null
  text: (view: MonitorView) => string
}

/** What is compared, from what leads to a server to what that said. */
const rows: readonly RowOf[] = [
  { name: msg`Error`, member: 'failure', text: ({ error }) => error ?? '' },
  { name: msg`Not met`, member: null, text: ({ failed_assertion: assertion }) => assertion ?? '' },
  { name: msg`Resolved to`, member: 'addresses', text: ({ addresses }) => addresses.resolved.join(', ') },
  { name: msg`Dialled`, member: 'addresses', text: ({ addresses }) => addresses.dialled.join(', ') },
  { name: msg`DNS records`, member: 'answers', text: recordsText },
  { name: msg`Certificate`, member: 'certificate', text: certificateText },
  { name: msg`Ended at`, member: 'final_url', text: ({ final_url: url }) => url ?? '' },
  { name: msg`Status code`, member: 'status_code', text: ({ status_code: status }) => String(status ?? '') },
  { name: msg`Protocol`, member: 'protocol', text: ({ protocol }) => protocol ?? '' },
  { name: msg`Server`, member: 'server', text: ({ server }) => server ?? '' },
  { name: msg`Took`, member: 'latency_ms', text: ({ latency_ms: ms }) => (ms === null ? '' : milliseconds(ms)) },
]

function recordsText({ answers }: MonitorView): string {
  if (answers === null) return ''
  return answers.length === 0 ? t({ message: 'None', context: 'DNS records' }) : answers.join(', ')
}

function certificateText({ certificate }: MonitorView): string {
  if (certificate === null) return ''
  const { subject, issuer, not_after: end, fingerprint_sha256: fingerprint } = certificate
  const [day, short] = [end.slice(0, 10), fingerprint.slice(0, 11)]
  return t`${subject}, issued by ${issuer}, valid to ${day}, fingerprint ${short}…`
}

type Shown = { title: string; differs: boolean; texts: readonly string[] }

/** The rows of which any location saw something, with a text for each location. */
function shownRows({ views, differs }: MonitorViews): Shown[] {
  return rows.flatMap(({ name, member, text }) => {
    const texts = views.map(text)
    if (texts.every((each) => each === '')) return []
    const isMarked = member !== null && differs.includes(member) && new Set(texts).size > 1
    return [{ title: i18n._(name), differs: isMarked, texts }]
  })
}

const narrow = '(max-width: 39.99rem)'

function Matrix({ of }: { of: MonitorViews }): ReactNode {
  const isNarrow = useMatches(narrow)
  const shown = shownRows(of)
  return isNarrow ? <Cards of={of} rows={shown} /> : <Columns of={of} rows={shown} />
}

type MatrixProps = { of: MonitorViews; rows: readonly Shown[] }

function Columns({ of: { views }, rows: shown }: MatrixProps): ReactNode {
  return (
    // What is wider than the page scrolls, and the keyboard reaches it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={t`What each location saw`} tabIndex={0} className="overflow-x-auto">
      <table aria-label={t`What each location saw`} className="w-full text-sm">
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className="py-2 pl-2 text-left align-top font-normal text-muted">{t`Location`}</th>
            {views.map((view) => (
              <th key={view.location_code} scope="col" className="min-w-36 py-2 pl-4 text-left align-top font-medium">
                <Place of={view} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.map(({ title, differs, texts }) => (
            <tr key={title} className={differs ? 'bg-warn-soft' : ''}>
              <th scope="row" className="py-2 pl-2 text-left align-top font-normal text-muted">
                <Named title={title} differs={differs} />
              </th>
              {texts.map((text, index) => (
                <td
                  key={views[index]?.location_code}
                  className={`min-w-36 py-2 pl-4 align-top wrap-anywhere ${differs ? 'font-medium' : ''}`}
                >
                  <Seen text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** On a phone each location has a card of its own. */
function Cards({ of: { views }, rows: shown }: MatrixProps): ReactNode {
  return (
    <ul aria-label={t`What each location saw`} className="flex flex-col gap-4">
      {views.map((view, index) => (
        <li key={view.location_code} className="rounded-lg border border-line p-4">
          <Place of={view} />
          <dl className="mt-3 flex flex-col gap-2 text-sm">
            {shown.map(({ title, differs, texts }) => (
              <div key={title} className={differs ? '-mx-2 rounded bg-warn-soft px-2 py-1' : ''}>
                <dt className="text-muted">
                  <Named title={title} differs={differs} />
                </dt>
                <dd className={`wrap-anywhere ${differs ? 'font-medium' : ''}`}>
                  <Seen text={texts[index] ?? ''} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Place({ of: { location_name: name, seen_at: at, status } }: { of: MonitorView }): ReactNode {
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="font-medium wrap-anywhere">{name}</span>
      <Status of={status} />
      <span className="text-xs font-normal text-muted">
        <Time at={at} by="second" />
      </span>
    </span>
  )
}

/** That it differs is told by a sign and a word, not by colour alone. */
function Named({ title, differs }: { title: string; differs: boolean }): ReactNode {
  if (!differs) return title
  return (
    <span className="font-medium text-warn">
      <span aria-hidden="true">≠ </span>
      {title}
      <span className="block text-xs">{t`differs`}</span>
    </span>
  )
}

function Seen({ text }: { text: string }): ReactNode {
  return text === '' ? <span className="text-muted">–</span> : text
}
