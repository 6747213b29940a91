/// A script of our own pages and the CSP source expression that allows exactly it.
package struct PageScript: Sendable, Equatable {
    package let source: String
    /// `sha256-…` over the UTF-8 of `source` (Content Security Policy Level 3 section 2.3.1).
    package let hash: String

    /// `source` must not contain `<`: it stands inside a `<script>` element unescaped. A script that does is emptied.
    package init(source: StaticString, hash: String) {
        let text = source.description
        self.source = text.contains("<") ? "" : text
        self.hash = hash
    }

    /// Asks the browser for a passkey and posts the answer. The hash is a constant so that the pages need no cryptography; a test
    /// recomputes it.
    ///
    /// The form stays hidden without the script, and in a browser without passkeys; the page shows `passkey-unavailable` then. The options are
    /// the form's attribute `data-options`, `{"publicKey": …}` of WebAuthn Level 3 section 5.1. With `data-opens`, the dialog opens with the
    /// page, in browsers that do not ask for a click first. Conversions are written out because
    /// `parseCreationOptionsFromJSON` is missing in older browsers and `toJSON` fails on the objects of some password managers.
    package static let passkeys = PageScript(source: passkeySource, hash: "sha256-cIGMJ/qJuh5nfszB534wQzDwFY5dCiTxTwIPMSiwwuk=")

    private static let passkeySource: StaticString = """

        "use strict";
        (() => {
          const form = document.getElementById("passkey");
          if (!form || !window.PublicKeyCredential) return;
          const creates = form.dataset.passkey === "create";
          const button = form.querySelector("button");
          const show = (id, isShown) => {
            const element = document.getElementById(id);
            if (element) element.hidden = !isShown;
            return element;
          };
          const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));
          const text = buffer => btoa(Array.from(new Uint8Array(buffer), b => String.fromCharCode(b)).join(""))
            .replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=+$/, "");
          const list = items => (items || []).map(item => ({ ...item, id: bytes(item.id) }));
          const decoded = key => {
            const parse = creates ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
            if (PublicKeyCredential[parse]) return PublicKeyCredential[parse](key);
            const result = { ...key, challenge: bytes(key.challenge) };
            if (creates) {
              result.user = { ...key.user, id: bytes(key.user.id) };
              result.excludeCredentials = list(key.excludeCredentials);
            } else {
              result.allowCredentials = list(key.allowCredentials);
            }
            return result;
          };
          const encoded = credential => {
            const response = {};
            for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
              if (credential.response[name]) response[name] = text(credential.response[name]);
            }
            if (credential.response.getTransports) response.transports = credential.response.getTransports();
            return {
              id: credential.id, rawId: text(credential.rawId), type: credential.type, response,
              authenticatorAttachment: credential.authenticatorAttachment || undefined,
              clientExtensionResults: credential.getClientExtensionResults()
            };
          };
          form.addEventListener("submit", async event => {
            event.preventDefault();
            button.disabled = true;
            show("passkey-failed", false);
            show("passkey-known", false);
            try {
              const options = { publicKey: decoded(JSON.parse(form.dataset.options).publicKey) };
              const credential = await (creates ? navigator.credentials.create(options) : navigator.credentials.get(options));
              form.elements.credential.value = JSON.stringify(encoded(credential));
              form.submit();
            } catch (error) {
              button.disabled = false;
              const isKnown = creates && error.name === "InvalidStateError";
              show(isKnown ? "passkey-known" : "passkey-failed", true).focus();
            }
          });
          addEventListener("pageshow", () => { button.disabled = false; });
          show("passkey-unavailable", false);
          form.hidden = false;
          if ("opens" in form.dataset && form.requestSubmit) form.requestSubmit();
        })();

        """
}

/// Additions to a page beyond the frame that every page has.
struct PageExtras: Sendable {
    /// After the site's own sheets.
    var styles: [StyleSheet] = []
    /// The only script that the page may run; nil for none.
    var script: PageScript?
}
