-- compatible_from: 1

-- A workspace may have a provider of SAML 2.0 in place of one of OpenID Connect. `issuer` is its entity ID then.
alter table identity_providers
  add column protocol text not null default 'openid_connect' check (protocol in ('openid_connect', 'saml')),
  add column sign_on_url text check (char_length(sign_on_url) <= 2000),
  -- In PEM. They are public.
  add column certificates text[] check (cardinality(certificates) between 1 and 10),
  -- Null for the NameID.
  add column subject_attribute text check (char_length(subject_attribute) <= 200),
  -- Null for the usual names.
  add column email_attribute text check (char_length(email_attribute) <= 200),
  alter column client_id drop not null,
  alter column client_secret drop not null,
  drop constraint identity_providers_issuer_check,
  add constraint identity_providers_issuer_check check (char_length(issuer) <= 1024),
  add constraint identity_providers_whole check (
    case protocol
      when 'saml' then sign_on_url is not null and certificates is not null
      else client_id is not null and client_secret is not null
    end
  );
