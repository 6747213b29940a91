extension AccountPage {
    /// The values of the template `account`.
    func templateValues(_ language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "profile": profileValues(language), "linked": linked.map { linkedValues($0, language) },
            "linkable": linkable.map { linkableValues($0, language) }, "deleteURL": own("/account/delete").text,
            "deleteLabel": language("Delete account"), "labels": labels(language),
        ]
        values["notice"] = notice.map { language($0.text) }
        values["isGood"] = notice?.isGood
        if !isRecent {
            values["confirm"] = ["text": language(Self.confirmText), "url": confirmTarget.text, "label": language("Sign in again")]
        }
        if isLastWay { values["lastWay"] = language(Self.lastWayText) }
        values["resend"] = resendForm?.templateValues(in: language)
        values["password"] = passwordForm?.templateValues(in: language)
        values["email"] = emailForm?.templateValues(in: language)
        if let secondFactors {
            values["secondFactors"] =
                [
                    "url": own("/account/second-factors").text, "label": language("Manage second factors"),
                    "items": secondFactors.map {
                        ["name": $0.name(in: language), "added": DateText(unixSeconds: $0.enrolledAt).text(in: language)]
                    },
                ] as [String: any Sendable]
        }
        if let sessions, !sessions.isEmpty {
            values["sessions"] =
                [
                    "items": sessions.map { sessionValues($0, language) },
                    "endOthers": endOthersForm.templateValues(in: language),
                ] as [String: any Sendable]
        }
        return values
    }

    private func labels(_ language: Language) -> [String: any Sendable] {
        [
            "ways": language("Ways to sign in"), "add": language("Add a way to sign in"), "password": language("Change password"),
            "email": language("Change your e-mail address"), "secondFactors": language("Second factors"),
            "sessions": language("Sessions"), "deletion": language("Delete account"), "userID": language("User ID"),
        ]
    }

    private func profileValues(_ language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "uid": profile.uid, "isEmailVerified": profile.isEmailVerified, "isAnonymous": profile.isAnonymous,
            "emailState": language(profile.isEmailVerified ? "confirmed" : "not confirmed"),
        ]
        values["name"] = profile.name
        values["email"] = profile.email
        return values
    }

    private func linkedValues(_ way: LinkedProvider, _ language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "id": way.id, "name": name(of: way, language), "added": DateText(unixSeconds: way.linkedAt).text(in: language),
        ]
        values["account"] = way.account
        values["unlink"] = unlinkForm(way)?.templateValues(in: language)
        return values
    }

    private func linkableValues(_ provider: LinkableProvider, _ language: Language) -> [String: any Sendable] {
        [
            "id": provider.id, "name": provider.displayName, "action": linkForm(provider).action.text,
            "label": Sentence("Link {provider}", ["provider": provider.displayName]).text(in: language),
        ]
    }

    private func sessionValues(_ session: SessionRow, _ language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "id": session.id, "browser": session.name(in: language), "isCurrent": session.isCurrent,
            "lastUsed": DateText(unixSeconds: session.lastSeenAt).text(in: language),
        ]
        values["address"] = session.address
        values["end"] = endForm(session)?.templateValues(in: language)
        return values
    }
}
