/** By which tags are compared, also in SQL (`lower`). Apart from their schemas, which the console must not load. */
export function tagKey(tag: string): string {
  return tag.toLowerCase()
}
