import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import type { KindName, MonitorForms } from '../../api/monitors.ts'
import { Icon } from '../../parts/icons.tsx'
import { PageHead } from '../../parts/page.tsx'
import { pastedState } from '../../parts/pasted.ts'
import { inputClass } from '../../parts/schema/fieldset.tsx'
import { kindsFor, looksLikeTarget } from '../../parts/targets.ts'
import { goToNeighbour } from './card-keys.ts'
import { KindIcon } from './kind-icons.tsx'
import { type KindCard, cardGroups, cardsFor, cardsOf } from './kind-search.ts'

/** What is to be watched: by a look at the kinds, by a word, or by a target that is pasted. */
export function KindChoice({ forms }: { forms: MonitorForms }): ReactNode {
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const groups = cardGroups(forms)
  const target = looksLikeTarget(typed) ? typed.trim() : undefined
  const found = target === undefined ? cardsFor(groups, typed) : cardsOf(kindsFor(target), forms)
  const isSearched = typed.trim() !== ''
  const onKeyDown = useCardKeys({ list, search, isSearched })
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      <PageHead title={t`A new monitor`} lead={t`What do you want to watch?`} />
      <SearchField field={search} typed={typed} onTyped={setTyped} />
      <p id={foundId} role="status" className={isSearched ? 'mb-3 text-sm text-muted' : 'sr-only'}>
        {isSearched && foundText(found.length, target)}
      </p>
      <div ref={list}>
        {isSearched ? (
          <Cards cards={found} target={target} />
        ) : (
          groups.map(({ title, cards }) => (
            <section key={title} className="mb-8">
              <h2 className="mb-3 font-semibold">{title}</h2>
              <Cards cards={cards} target={undefined} />
            </section>
          ))
        )}
      </div>
    </div>
  )
}

const foundId = 'kinds-found'

type SearchProps = { field: RefObject<HTMLInputElement | null>; typed: string; onTyped: (typed: string) => void }

function SearchField({ field, typed, onTyped }: SearchProps): ReactNode {
  return (
    <div className="relative mb-6 max-w-xl">
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted">
        <Icon name="search" />
      </span>
      <input
        ref={field}
        type="search"
        aria-label={t`Search the kinds, or paste an address`}
        aria-describedby={foundId}
        placeholder={t`Search, such as cron or certificate, or paste an address`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ currentTarget }) => onTyped(currentTarget.value)}
        className={`${inputClass} pl-9`}
      />
    </div>
  )
}

type Keyed = { list: RefObject<HTMLElement | null>; search: RefObject<HTMLElement | null>; isSearched: boolean }

/** In the search Enter takes the first card and the arrow leads to it; among the cards arrows go on. */
function useCardKeys({ list, search, isSearched }: Keyed): (event: KeyboardEvent) => void {
  return (event) => {
    const cards = linksOf(list.current)
    const [first] = cards
    if (event.target !== search.current) {
      if (!goToNeighbour(cards, event.key, search.current)) return
    } else if (first !== undefined && event.key === 'ArrowDown') first.focus()
    else if (first !== undefined && event.key === 'Enter' && isSearched) first.click()
    else return
    event.preventDefault()
  }
}

function foundText(count: number, target: string | undefined): string {
  if (target !== undefined) return t`Ways to watch ${target}. Enter chooses the first.`
  if (count === 0) return t`No kind matches these words.`
  return plural(count, { one: '# kind. Enter chooses it.', other: '# kinds. Enter chooses the first.' })
}

function linksOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('a[href]') ?? [])]
}

type CardsProps = { cards: readonly KindCard[]; target: string | undefined }

function Cards({ cards, target }: CardsProps): ReactNode {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {cards.map((card) => (
        <li key={card.title}>
          <Card card={card} target={target} />
        </li>
      ))}
    </ul>
  )
}

const cardClass = 'flex h-full gap-3 rounded-xl border border-line bg-surface p-4'

function Card({ card, target }: { card: KindCard; target: string | undefined }): ReactNode {
  const [first, ...others] = card.choices
  if (first === undefined) return null
  const { kind } = first
  if (others.length > 0) return <SizedCard card={card} kind={kind} target={target} />
  return (
    <Link
      to="/monitors/new"
      search={{ kind }}
      state={pastedState(target)}
      className={`${cardClass} group hover:border-edge hover:bg-sunken`}
    >
      <CardWords card={card} kind={kind} />
    </Link>
  )
}

/** Asks for the size, which is all that these kinds differ in. */
function SizedCard({ card, kind, target }: { card: KindCard; kind: KindName; target: string | undefined }): ReactNode {
  const { title } = card
  return (
    <div className={cardClass}>
      <CardWords card={{ ...card, description: t`Requests in a row, as a visitor would make them.` }} kind={kind}>
        <span className="mt-2 flex flex-wrap items-center gap-1.5 text-sm">
          <span className="text-muted">
            <Trans>Up to</Trans>
          </span>
          {card.choices.map(({ kind: each, steps }) => (
            <Link
              key={each}
              to="/monitors/new"
              search={{ kind: each }}
              state={pastedState(target)}
              aria-label={t`${title} of up to ${steps} steps`}
              className="min-w-9 rounded-lg border border-edge/60 px-2.5 py-1 text-center font-medium hover:bg-sunken"
            >
              {steps}
            </Link>
          ))}
          <span className="text-muted">
            <Trans>steps</Trans>
          </span>
        </span>
      </CardWords>
    </div>
  )
}

type WordsProps = { card: KindCard; kind: KindName; children?: ReactNode }

function CardWords({ card: { title, description }, kind, children }: WordsProps): ReactNode {
  return (
    <>
      <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent-text">
        <KindIcon kind={kind} />
      </span>
      <span className="min-w-0">
        <span className="font-medium">{title}</span>
        <span className="mt-0.5 block text-sm text-muted">{description}</span>
        {children}
      </span>
    </>
  )
}
