import { useEffect, useState } from 'react'

/** A text that has not changed for a moment. */
export function useSettled(text: string, typingMs = 500): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text, typingMs])
  return settled
}
