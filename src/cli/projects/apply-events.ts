/** `label` is `section.key`. */
export type ApplyEvent =
  /** `rested`: what stands in the files no more was paused, disabled or made a draft. */
  | { type: 'adopted' | 'created' | 'changed' | 'rested' | 'deleted'; label: string }
  /** `problem`: what is wrong with the check; null where nothing is. */
  | { type: 'tried'; label: string; problem: string | null }
  | { type: 'failed'; label: string; problem: string }
  | { type: 'waiting'; seconds: number }

/** Everything that happened, in its order. */
export type Applied = { project: string; events: readonly ApplyEvent[] }
