import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { lazy, type ReactNode } from 'react'
import type { IncidentEvidence } from '../../api/overview.ts'
import { overviewApi } from '../../api/overview.ts'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Awaited, WaitingPart } from '../../parts/waiting.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'

/** Loaded with the first incident that has some. */
const Routes = lazy(() => import('./routes.tsx'))

const readAgainMs = 15_000

type Piece = IncidentEvidence['evidence'][number]

/** What locations saw, side by side. All that targets sent is shown as text. */
export function Evidence({ incidentId }: { incidentId: string }): ReactNode {
  const { workspace } = useWorkspace()
  const { data } = useRead(`evidence of ${incidentId}`, {
    read: () => overviewApi(workspace.id).readEvidence(incidentId),
    everyMs: readAgainMs,
  })
  const { cause, disagreement, evidence, is_full: isFull, routes } = data
  if (evidence.length === 0 && routes.length === 0)
    return (
      <p className="mb-6 px-5 text-sm text-muted">
        <Trans>No evidence was kept for this incident. The settings of a monitor say whether it is kept.</Trans>
      </p>
    )
  return (
    <Section title={t`Evidence`} lead={t`What each location saw when it failed. It is kept for 30 days.`}>
      {cause !== null && !isToldBelow(cause, disagreement) && <p className="mb-4 font-medium wrap-anywhere">{cause}</p>}
      <ul aria-label={t`Evidence`} className="grid gap-4 lg:grid-cols-2">
        {evidence.map((piece) => (
          <Seen key={`${piece.location_code} ${piece.seen_at} ${piece.error}`} piece={piece} />
        ))}
      </ul>
      {routes.length > 0 && (
        <Awaited fallback={<WaitingPart className="min-h-40" />}>
          <Routes routes={routes} />
        </Awaited>
      )}
      {isFull && (
        <p className="mt-4 text-sm text-muted">
          <Trans>Further failures of this incident are not kept.</Trans>
        </p>
      )}
    </Section>
  )
}

/** Which answers differ is told where what locations saw is compared. */
function isToldBelow(cause: string, disagreement: string | null): boolean {
  return disagreement !== null && /DNS answers differ between/.test(cause)
}

function Seen({ piece }: { piece: Piece }): ReactNode {
  const {
    location_name: place,
    seen_at: at,
    error,
    failed_assertion: assertion,
    addresses,
    tls,
    answer,
    log,
    page,
  } = piece
  const { resolved, dialled } = addresses
  const phases = phasesText(piece)
  return (
    <li className="min-w-0 rounded-lg border border-line p-4">
      <h3 className="font-medium">{place}</h3>
      <p className="text-xs text-muted">
        <Time at={at} />
      </p>
      {error !== null && <p className="mt-2 text-sm wrap-anywhere">{error}</p>}
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {assertion !== null && <Fact term={t`Not met`}>{assertion}</Fact>}
        {resolved.length > 0 && <Fact term={t`Resolved to`}>{resolved.join(', ')}</Fact>}
        {dialled.length > 0 && <Fact term={t`Dialled`}>{dialled.join(', ')}</Fact>}
        {phases !== '' && <Fact term={t`Took`}>{phases}</Fact>}
        {tls !== null && <Fact term={t`TLS`}>{`${tls.protocol} · ${tls.cipher}`}</Fact>}
        {tls?.chain.map((link) => (
          <Fact key={link.fingerprint_sha256} term={t`Certificate`}>
            <Certificate of={link} />
          </Fact>
        ))}
      </dl>
      {answer !== null && <Answer of={answer} />}
      {page !== null && <Visit of={page} />}
      {log !== null && (
        <div className="mt-3">
          <Block label={t`End of the log`} text={log} />
        </div>
      )}
    </li>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}

function Certificate({ of }: { of: NonNullable<Piece['tls']>['chain'][number] }): ReactNode {
  const { subject, issuer, not_before: begin, not_after: end, names } = of
  return (
    <>
      <Trans>
        {subject}, issued by {issuer}, valid from <Time at={begin} by="day" /> to <Time at={end} by="day" />
      </Trans>
      {names.length > 0 && <span className="text-muted"> · {names.join(', ')}</span>}
    </>
  )
}

/** A field that cannot be changed: it scrolls, the keyboard reaches it, and what stands in it is never HTML. */
function Block({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <textarea
      readOnly
      aria-label={label}
      rows={Math.min(12, text.split('\n').length + 1)}
      value={text}
      className="w-full resize-y rounded-lg bg-sunken px-3 py-2 font-mono text-xs"
    />
  )
}

function Answer({ of }: { of: NonNullable<Piece['answer']> }): ReactNode {
  const { url, status_line: line, headers, body, body_note: note } = of
  const head = [line, ...headers.map(({ name, value }) => `${name}: ${value}`)].join('\n')
  return (
    <div className="mt-3 flex flex-col gap-2">
      <p className="text-xs text-muted wrap-anywhere">{url}</p>
      <Block label={t`Status and headers`} text={head} />
      {body !== null && body !== '' && <Block label={t`Body`} text={body} />}
      {note !== null && <p className="text-xs text-muted">{t`Body: ${note}`}</p>}
    </div>
  )
}

function Visit({ of }: { of: NonNullable<Piece['page']> }): ReactNode {
  const { console_errors: errors, failed_requests: failed, picture, picture_note: note } = of
  return (
    <div className="mt-3 flex flex-col gap-2">
      {errors.length > 0 && <Block label={t`Errors in the console`} text={errors.join('\n')} />}
      {failed.length > 0 && <Block label={t`Requests that failed`} text={failed.join('\n')} />}
      {picture !== null && (
        <img
          src={`data:image/jpeg;base64,${picture}`}
          alt={t`What a visitor saw`}
          className="w-full rounded-lg border border-line"
        />
      )}
      {note !== null && <p className="text-xs text-muted">{t`Picture: ${note}`}</p>}
    </div>
  )
}

function phasesText({ phases }: Piece): string {
  const named: [string, number | null][] = [
    [t`look-up`, phases.dns_ms],
    [t`connection`, phases.connect_ms],
    ['TLS', phases.tls_ms],
    [t`first byte`, phases.ttfb_ms],
    [t`transfer`, phases.transfer_ms],
  ]
  return named.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`])).join(' · ')
}
