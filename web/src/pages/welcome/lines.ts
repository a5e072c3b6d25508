import { type Wish, wishOf } from '../../parts/targets.ts'

/** So many at once: each is checked before it is watched, and a workspace checks no more than a few at a time. */
export const mostLines = 10

export type Line = { text: string; wish: Wish }

/** Every line that says something. */
export function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ text: line, wish: wishOf(line) }))
}
