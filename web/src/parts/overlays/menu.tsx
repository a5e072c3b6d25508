import * as DropdownMenu from '@radix-ui/react-dropdown-menu'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Check } from '../icons.tsx'

const item =
  'flex w-full cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-sunken'

type MenuProps = {
  /** Left out where the trigger's text says it all. */
  label: string | undefined
  trigger: ReactNode
  className: string
  /** Whether the door had the focus in whose place the menu comes. */
  isFocused: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  children: ReactNode
}

/**
 * Not modal: a modal one would write styles into the page, which its policy forbids. In its place in the page, not at
 * the end of it, so that it stands in a landmark.
 */
export function Menu({ label, trigger, className, isFocused, isOpen, onOpen, children }: MenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isFocused) button.current?.focus()
  }, [isFocused])
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpen}>
      <DropdownMenu.Trigger ref={button} aria-label={label} className={className}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="start"
        sideOffset={6}
        collisionPadding={8}
        className="z-10 max-h-[70vh] max-w-[min(24rem,calc(100vw-1rem))] min-w-56 overflow-y-auto rounded-xl border border-line bg-surface p-1.5 shadow-lg"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }): ReactNode {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={item}>
      {children}
    </DropdownMenu.Item>
  )
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

export function MenuChoice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <DropdownMenu.Group>
      <MenuLabel>{label}</MenuLabel>
      <DropdownMenu.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
        {options.map((option) => (
          <DropdownMenu.RadioItem key={option.value} value={option.value} className={item}>
            <span className="size-4">
              <DropdownMenu.ItemIndicator>
                <Check />
              </DropdownMenu.ItemIndicator>
            </span>
            <span className="truncate">{option.label}</span>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </DropdownMenu.Group>
  )
}

export function MenuLabel({ children }: { children: ReactNode }): ReactNode {
  return <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{children}</DropdownMenu.Label>
}

export function MenuLine(): ReactNode {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
}
