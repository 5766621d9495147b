import type { Mail } from '../mail/mail.ts'

/** The mail that brings a link which signs in. */
export function composeSignInMail({ to, link }: { readonly to: string; readonly link: string }): Mail {
  const note =
    'The link works once, within 15 minutes. If you did not ask for it, ignore this mail: nobody is signed in without it.'
  return {
    to,
    subject: 'Your sign-in link',
    text: `Open this link to sign in:\n\n${link}\n\n${note}\n`,
    // The link is an address of ours and a token in base64url: neither has a character that HTML gives a meaning.
    html: `<p><a href="${link}">Sign in</a></p><p>${note}</p>`,
  }
}
