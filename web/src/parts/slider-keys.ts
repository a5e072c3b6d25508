/** The value to which a key moves a slider, also beyond its ends; null for other keys. A page is so many steps. */
export function sliderTarget(key: string, of: { value: number; last: number; page: number }): number | null {
  const { value, last, page } = of
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return value - 1
    case 'ArrowRight':
    case 'ArrowUp':
      return value + 1
    case 'PageDown':
      return value - page
    case 'PageUp':
      return value + page
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
