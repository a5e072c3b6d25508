/** Gives the headings of a page the anchors that the forge gives them, so that links lead to the same place in both. */
export function createAnchors(): (heading: string) => string {
  const given = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const times = given.get(anchor) ?? 0
    given.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
}
