import { type ReactNode, useState } from 'react'
import type { InvitationRecord, MemberRecord, Role } from '../api/console.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Badge, Empty, Row, Rows } from '../parts/list.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useToast } from '../parts/toast.tsx'
import { useMe } from '../session.ts'
import { useChanged, useRead, useWorkspace } from '../workspace.tsx'

export function MembersPage(): ReactNode {
  const { isOwner } = useWorkspace()
  const [isInviting, setInviting] = useState(false)
  const invite = (
    <Button look="primary" onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  )
  return (
    <>
      <PageHead
        title="Members"
        lead="Viewers read, members also change, owners also have members, tokens, agents and the workspace itself."
        action={isOwner && invite}
      />
      <Members />
      {isOwner && <Invitations />}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  )
}

const roleOptions = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'member', label: 'Member' },
  { value: 'owner', label: 'Owner' },
] as const

function roleLabel(role: Role): string {
  return roleOptions.find(({ value }) => value === role)?.label ?? role
}

function roleOf(text: string): Role {
  return roleOptions.find(({ value }) => value === text)?.value ?? 'viewer'
}

type Asked = { what: 'change' | 'remove'; member: MemberRecord }

function Members(): ReactNode {
  const { data: members } = useRead('members', { read: (api) => api.listMembers() })
  const { isOwner } = useWorkspace()
  const me = useMe()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  return (
    <Section title="People">
      <Rows label="Members">
        {members.map((member) => (
          <Row
            key={member.id}
            title={
              <>
                {member.name}
                <Badge>{roleLabel(member.role)}</Badge>
                {member.id === me.id && <Badge>You</Badge>}
              </>
            }
            details={
              <>
                {member.email} · since <Time at={member.joined_at} by="day" />
              </>
            }
            action={isOwner && <MemberActions member={member} isSelf={member.id === me.id} onAsk={setAsked} />}
          />
        ))}
      </Rows>
      {asked?.what === 'change' && <ChangeRole member={asked.member} onClose={close} />}
      {asked?.what === 'remove' && <Remove member={asked.member} onClose={close} />}
    </Section>
  )
}

type ActionsProps = { member: MemberRecord; isSelf: boolean; onAsk: (asked: Asked) => void }

function MemberActions({ member, isSelf, onAsk }: ActionsProps): ReactNode {
  return (
    <>
      <Button aria-label={`Change the role of ${member.name}`} onClick={() => onAsk({ what: 'change', member })}>
        Role …
      </Button>
      {!isSelf && (
        <Button look="danger" aria-label={`Remove ${member.name}`} onClick={() => onAsk({ what: 'remove', member })}>
          Remove
        </Button>
      )}
    </>
  )
}

type AskedProps = { member: MemberRecord; onClose: () => void }

function ChangeRole({ member, onClose }: AskedProps): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (role: Role): Promise<void> => {
    await api.changeRole(member.id, role)
    await changed('members')
    onClose()
  }
  return (
    <FormDialog
      title={`Role of ${member.name}`}
      submit="Save"
      onSubmit={(value) => submit(roleOf(value('role')))}
      onClose={onClose}
    >
      <SelectField name="role" label="Role" defaultValue={member.role} options={roleOptions} />
    </FormDialog>
  )
}

function Remove({ member, onClose }: AskedProps): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.removeMember(member.id)
    await changed('members')
    onClose()
  }
  return (
    <FormDialog title={`Remove ${member.name}?`} submit="Remove" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        The account stays; it just is in this workspace no longer. Agents that {member.name} let in are disconnected.
      </p>
    </FormDialog>
  )
}

function Invitations(): ReactNode {
  const { data: invitations } = useRead('invitations', { read: (api) => api.listInvitations() })
  const [revoked, setRevoked] = useState<InvitationRecord | null>(null)
  return (
    <Section title="Invitations" lead="Each works once, for seven days, and for its address only.">
      {invitations.length === 0 && <Empty>Nobody is waited for.</Empty>}
      <Rows label="Invitations">
        {invitations.map((invitation) => (
          <Row
            key={invitation.id}
            title={
              <>
                {invitation.email}
                <Badge>{roleLabel(invitation.role)}</Badge>
              </>
            }
            details={
              <>
                By {invitation.invited_by} · until <Time at={invitation.expires_at} />
              </>
            }
            action={
              <Button
                look="danger"
                aria-label={`Revoke the invitation of ${invitation.email}`}
                onClick={() => setRevoked(invitation)}
              >
                Revoke
              </Button>
            }
          />
        ))}
      </Rows>
      {revoked !== null && <Revoke invitation={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  )
}

type RevokeProps = { invitation: InvitationRecord; onClose: () => void }

function Revoke({ invitation, onClose }: RevokeProps): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.revokeInvitation(invitation.id)
    await changed('invitations')
    onClose()
  }
  return (
    <FormDialog title="Revoke the invitation?" submit="Revoke" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">The link that {invitation.email} got ends.</p>
    </FormDialog>
  )
}

function Invite({ onClose }: { onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (email: string, role: Role): Promise<void> => {
    await api.invite(email, role)
    await changed('invitations')
    toast(`An invitation is on its way to ${email}.`)
    onClose()
  }
  return (
    <FormDialog
      title="Invite somebody"
      submit="Send the invitation"
      onSubmit={(value) => submit(value('email'), roleOf(value('role')))}
      onClose={onClose}
    >
      <TextField name="email" label="Email" type="email" autoComplete="off" />
      <SelectField name="role" label="Role" defaultValue="member" options={roleOptions} />
    </FormDialog>
  )
}
