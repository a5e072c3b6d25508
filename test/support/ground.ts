import type { Ground } from '#net/ground/ground.ts'

/** The network of a machine whose references always answer. */
export const firmGround: Ground = {
  watch: () => {},
  unwatch: () => {},
  standing: async () => 'held',
  isBack: async () => true,
  answersNow: () => true,
  lostForMs: () => null,
  stop: () => {},
}

/** The network of a machine that is cut off for good. */
export const lostGround: Ground = {
  ...firmGround,
  standing: async () => 'lost',
  isBack: async () => false,
  answersNow: () => false,
  lostForMs: () => 60_000,
}
