/** SQL: whether two lists of tags have one in common, whatever its case. */
export function sharesTag(one: string, other: string): string {
  return `exists (
    select
    from unnest(${one}) as mine (tag)
    join unnest(${other}) as theirs (tag) on lower(mine.tag) = lower(theirs.tag)
  )`
}

/** SQL: whether a list of tags has one of these, whatever their case; for the thousands of rows that a list looks through. */
export function hasOneOf(tags: string, wanted: string): string {
  return `lower(${tags}::text)::text[] && lower(${wanted}::text)::text[]`
}
