/** A function of the store that knows its database or transaction. */
export type Bound<Of> = Of extends (source: never, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never
