import { i18n } from '@lingui/core'
import type { KindName, MonitorForms } from '../../api/monitors.ts'
import { kindGroups, kindTitle, stepKinds } from '../monitor/kinds.ts'
import { kindAsks } from './kind-asks.ts'

/** A card of the chooser: kinds that differ in how many steps they take, and in nothing else, share one. */
export type KindCard = { title: string; description: string; choices: readonly { kind: KindName; steps: number }[] }

export type CardGroup = { title: string; cards: readonly KindCard[] }

/** Every kind, in the groups in which it is looked for. */
export function cardGroups(forms: MonitorForms): CardGroup[] {
  return kindGroups.map(({ title, kinds }) => ({ title: i18n._(title), cards: cardsOf(kinds, forms) }))
}

/** A card for each of these kinds, in their order. */
export function cardsOf(kinds: readonly KindName[], forms: MonitorForms): KindCard[] {
  const cards = kinds.map((kind) => ({
    title: kindTitle(isSteps(kind) ? 'transaction' : kind),
    description: forms.kinds[kind].options.description ?? '',
    choices: (isSteps(kind) ? stepKinds : [kind]).map((each) => ({ kind: each, steps: stepsOf(each, forms) })),
  }))
  return cards.filter(({ title }, index) => cards.findIndex((other) => other.title === title) === index)
}

/** How many steps a kind takes at most. */
function stepsOf(kind: KindName, { kinds }: MonitorForms): number {
  return kinds[kind].options.properties?.['steps']?.maxItems ?? 0
}

function isSteps(kind: KindName): boolean {
  return stepKinds.some((each) => each === kind)
}

/** Cards that every word leads to, the best first: by their title, by what else they are called, by what they are. */
export function cardsFor(groups: readonly CardGroup[], typed: string): KindCard[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const scored = groups
    .flatMap(({ cards }) => cards)
    .map((card) => ({ card, score: Math.min(...words.map((word) => scoreOf(card, word))) }))
  const found = scored.filter(({ score }) => score > 0)
  return found.toSorted((one, other) => other.score - one.score).map(({ card }) => card)
}

/** 0 where no word begins so. */
function scoreOf({ title, description, choices }: KindCard, word: string): number {
  const sought = choices.map(({ kind }) => `${kind} ${i18n._(kindAsks[kind].sought)} ${kindTitle(kind)}`).join(' ')
  if (title.toLowerCase().startsWith(word)) return 5
  if (wordsOf(title).some((each) => each.startsWith(word))) return 4
  if (wordsOf(sought).includes(word)) return 3
  if (wordsOf(sought).some((each) => each.startsWith(word))) return 2
  return wordsOf(description).some((each) => each.startsWith(word)) ? 1 : 0
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[\s_():,.]+/)
}
