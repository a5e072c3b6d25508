import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'

type MenuDoorProps<Items> = {
  /** Left out where the trigger's text says it all. */
  label?: string
  trigger: ReactNode
  className: string
  /** What the menu has, a module of its own. */
  load: () => Promise<Items>
  children: (items: Items) => ReactNode
}

type Loaded<Items> = { Menu: typeof import('./menu.tsx').Menu; items: Items; isFocused: boolean }

/**
 * A button that becomes a menu when it is pointed at or gets the focus: a menu's script is a tenth of what a page
 * weighs, and most visits open none.
 */
export function MenuDoor<Items>({ label, trigger, className, load, children }: MenuDoorProps<Items>): ReactNode {
  const [loaded, setLoaded] = useState<Loaded<Items> | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The door's own, because a press can come while the menu is being drawn in its place.
  const [isOpen, setOpen] = useState(false)
  if (loaded !== null)
    return (
      <loaded.Menu
        label={label}
        trigger={trigger}
        className={className}
        isFocused={loaded.isFocused}
        isOpen={isOpen}
        onOpen={setOpen}
      >
        {children(loaded.items)}
      </loaded.Menu>
    )
  const come = async (): Promise<void> => {
    const [{ Menu }, items] = await Promise.all([import('./menu.tsx'), load()])
    setLoaded({ Menu, items, isFocused: document.activeElement === button.current })
  }
  const open = (): void => {
    setOpen(true)
    void come()
  }
  // As the menu itself does it: it opens when the button goes down, and takes the focus.
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || event.ctrlKey) return
    event.preventDefault()
    open()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    open()
  }
  return (
    <button
      ref={button}
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void come()}
      onFocus={() => void come()}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onClick={open}
      className={className}
    >
      {trigger}
    </button>
  )
}
