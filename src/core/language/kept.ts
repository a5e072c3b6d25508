/** Computes a value for each key once and keeps up to `most` of them, then begins anew. `make` must always say the same. */
export function kept<Key, Value>(make: (key: Key) => Value, most = 2_000): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    if (values.size === most) values.clear()
    const value = make(key)
    values.set(key, value)
    return value
  }
}
