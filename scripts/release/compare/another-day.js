// Makes a process believe that it is 400 days later, for the second build of a comparison. It is JavaScript because an older
// Node that runs npm reads it too.
const laterMs = 400 * 86_400_000
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + laterMs] : given, made),
  apply: (target) => new target(target.now() + laterMs).toString(),
  get: (target, name) => (name === 'now' ? () => target.now() + laterMs : Reflect.get(target, name)),
})
