export type Turns = {
  /** Resolves when it is the caller's turn. */
  begin: () => Promise<void>
  /** Ends the turn under way. The next one begins after this pause, unless somebody hurries. */
  end: (pauseMs: number) => void
  /** There may be something new since the turn under way began: the next one begins without a pause. */
  hurry: () => void
}

const nothing = (): void => {}

/** Lets callers through one after the other. A turn that is not ended holds up the next for `longestMs` at most. */
export function createTurns(longestMs: number): Turns {
  let last = Promise.resolve()
  let end: Turns['end'] = nothing
  let hurry = nothing
  return {
    begin: async () => {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      let isHurried = false
      const deadline = setTimeout(resolve, longestMs)
      hurry = () => {
        isHurried = true
      }
      end = (pauseMs) => {
        clearTimeout(deadline)
        end = nothing
        if (isHurried || pauseMs === 0) return resolve()
        const pause = setTimeout(resolve, pauseMs)
        hurry = () => {
          clearTimeout(pause)
          resolve()
        }
      }
    },
    end: (pauseMs) => end(pauseMs),
    hurry: () => hurry(),
  }
}
