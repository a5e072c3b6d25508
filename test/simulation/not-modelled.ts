/** A simulation that needs more than the model knows has to teach it first. */
export function notModelled(what: string): never {
  throw new Error(`The model knows nothing of ${what}.`)
}
