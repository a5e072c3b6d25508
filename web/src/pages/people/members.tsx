import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { InvitationRecord, MemberRecord, MemberRole } from '../../api/console.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMe, useSendsMail } from '../../session/session.ts'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { roleWords } from './role-words.ts'

export function MembersPage(): ReactNode {
  const { isOwner } = useWorkspace()
  const [isInviting, setInviting] = useState(false)
  const invite = (
    <Button look="primary" onClick={() => setInviting(true)}>
      <Trans>Invite someone</Trans>
    </Button>
  )
  return (
    <>
      <PageHead
        title={t`Members`}
        lead={t`Viewers read, members also change things, owners also manage members, tokens, agents and the workspace itself.`}
        action={isOwner && invite}
      />
      <Members />
      {isOwner && <Invitations />}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  )
}

const roles: readonly MemberRole[] = ['viewer', 'member', 'owner']

function roleOptions(): { value: MemberRole; label: string }[] {
  return roles.map((value) => ({ value, label: i18n._(roleWords[value]) }))
}

function roleOf(text: string): MemberRole {
  return roles.find((role) => role === text) ?? 'viewer'
}

type Asked = { what: 'change' | 'remove'; member: MemberRecord }

function Members(): ReactNode {
  const { data: members } = useRead('members', { read: (api) => api.listMembers() })
  const { isOwner } = useWorkspace()
  const me = useMe()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  return (
    <Section title={t`People`}>
      <Rows label={t`Members`}>
        {members.map((member) => (
          <Row
            key={member.id}
            title={
              <>
                {member.name}
                <Badge>{i18n._(roleWords[member.role])}</Badge>
                {member.id === me.id && (
                  <Badge>
                    <Trans>You</Trans>
                  </Badge>
                )}
              </>
            }
            details={
              <>
                {member.email} ·{' '}
                <Trans>
                  since <Time at={member.joined_at} by="day" />
                </Trans>
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
  const { name } = member
  return (
    <>
      <Button aria-label={t`Change the role of ${name}`} onClick={() => onAsk({ what: 'change', member })}>
        <Trans>Role …</Trans>
      </Button>
      {!isSelf && (
        <Button look="danger" aria-label={t`Remove ${name}`} onClick={() => onAsk({ what: 'remove', member })}>
          <Trans>Remove</Trans>
        </Button>
      )}
    </>
  )
}

type AskedProps = { member: MemberRecord; onClose: () => void }

function ChangeRole({ member: { id, name, role: present }, onClose }: AskedProps): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (role: MemberRole): Promise<void> => {
    await api.changeRole(id, role)
    await changed('members')
    onClose()
  }
  return (
    <FormDialog
      title={t`Role of ${name}`}
      submit={t`Save`}
      onSubmit={(value) => submit(roleOf(value('role')))}
      onClose={onClose}
      unsaved={false}
    >
      <SelectField name="role" label={t`Role`} defaultValue={present} options={roleOptions()} />
    </FormDialog>
  )
}

function Remove({ member: { id, name }, onClose }: AskedProps): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.removeMember(id)
    await changed('members')
    onClose()
  }
  return (
    <FormDialog title={t`Remove ${name}?`} submit={t`Remove`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>
          The account stays, but is no longer in this workspace. Agents that {name} let in are disconnected.
        </Trans>
      </p>
    </FormDialog>
  )
}

function Invitations(): ReactNode {
  const { data: invitations } = useRead('invitations', { read: (api) => api.listInvitations() })
  const [revoked, setRevoked] = useState<InvitationRecord | null>(null)
  return (
    <Section title={t`Invitations`} lead={t`Each works once, for seven days, and for its address only.`}>
      {invitations.length === 0 && (
        <Empty>
          <Trans>No open invitations.</Trans>
        </Empty>
      )}
      <Rows label={t`Invitations`}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onRevoke={() => setRevoked(invitation)} />
        ))}
      </Rows>
      {revoked !== null && <Revoke invitation={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  )
}

type InvitationProps = { invitation: InvitationRecord; onRevoke: () => void }

function InvitationRow({ invitation, onRevoke }: InvitationProps): ReactNode {
  const { email, role, invited_by: inviter, expires_at: end } = invitation
  return (
    <Row
      title={
        <>
          {email}
          <Badge>{i18n._(roleWords[role])}</Badge>
        </>
      }
      details={
        <>
          <Trans>By {inviter}</Trans> ·{' '}
          <Trans>
            until <Time at={end} />
          </Trans>
        </>
      }
      action={
        <Button look="danger" aria-label={t`Revoke the invitation of ${email}`} onClick={onRevoke}>
          <Trans>Revoke</Trans>
        </Button>
      }
    />
  )
}

type RevokeProps = { invitation: InvitationRecord; onClose: () => void }

function Revoke({ invitation: { id, email }, onClose }: RevokeProps): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.revokeInvitation(id)
    await changed('invitations')
    onClose()
  }
  return (
    <FormDialog title={t`Revoke the invitation?`} submit={t`Revoke`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>The link for {email} stops working.</Trans>
      </p>
    </FormDialog>
  )
}

type Invited = { email: string; link: string | null }

/** Where no mail leaves, the link is shown to who may see it, and lies in the outbox all the same. */
function Invite({ onClose }: { onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const toast = useToast()
  const sendsMail = useSendsMail()
  const [invited, setInvited] = useState<Invited | null>(null)
  const submit = async (email: string, role: MemberRole): Promise<void> => {
    const { link = null } = await api.invite(email, role)
    await changed('invitations')
    if (sendsMail) {
      toast(t`An invitation is on its way to ${email}.`)
      onClose()
    } else setInvited({ email, link })
  }
  if (invited !== null) return <InvitedWithoutMail invited={invited} onClose={onClose} />
  return (
    <FormDialog
      title={t`Invite someone`}
      submit={sendsMail ? t`Send the invitation` : t`Invite`}
      onSubmit={(value) => submit(value('email'), roleOf(value('role')))}
      onClose={onClose}
    >
      <TextField name="email" label={t`Email`} type="email" autoComplete="off" />
      <SelectField name="role" label={t`Role`} defaultValue="member" options={roleOptions()} />
    </FormDialog>
  )
}

function InvitedWithoutMail({ invited, onClose }: { invited: Invited; onClose: () => void }): ReactNode {
  const { email, link } = invited
  return (
    <Dialog title={t`${email} is invited`} onClose={onClose}>
      <div className="flex flex-col items-start gap-4">
        {link === null ? (
          <p>
            <Trans>
              This installation sends no mail, so nothing was sent to {email}: the operator finds the link in the folder{' '}
              <code>outbox</code> of its data.
            </Trans>
          </p>
        ) : (
          <>
            <p>
              <Trans>
                This installation sends no mail, so nothing was sent to {email}. Give this link to the person who has
                that address: anyone who opens it can join with it. It is shown only once.
              </Trans>
            </p>
            <CopyText label={t`Invitation link`} text={link} />
          </>
        )}
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
