/** SQL: whether two lists of tags have one in common, whatever its case. */
export function sharesTag(one: string, other: string): string {
  return `exists (
    select
    from unnest(${one}) as mine (tag)
    join unnest(${other}) as theirs (tag) on lower(mine.tag) = lower(theirs.tag)
  )`
}
