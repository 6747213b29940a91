{{/* The identity headers of `config.identity.headers`, which the proxy copies to the request: a JSON list. */}}
{{- define "gateway.identityHeaders" -}}
{{- $configured := default "forwarded" (default (dict) .Values.config.identity).headers -}}
{{- $profiles := dict
  "forwarded" (list "X-Forwarded-User" "X-Forwarded-Email" "X-Forwarded-Email-Verified" "X-Forwarded-Preferred-Username" "X-Forwarded-Name" "X-Forwarded-Groups" "X-Forwarded-Provider")
  "auth-request" (list "X-Auth-Request-User" "X-Auth-Request-Email" "X-Auth-Request-Preferred-Username" "X-Auth-Request-Groups")
  "remote-user" (list "Remote-User" "Remote-Email" "Remote-Name" "Remote-Groups")
  "webauth" (list "X-WEBAUTH-USER" "X-WEBAUTH-EMAIL" "X-WEBAUTH-FULLNAME" "X-WEBAUTH-GROUPS")
  "none" list -}}
{{- $names := list "X-Gateway-Assertion" -}}
{{- if kindIs "map" $configured -}}
{{- $names = concat $names (keys $configured | sortAlpha) -}}
{{- else -}}
{{- range (kindIs "slice" $configured | ternary $configured (list $configured)) -}}
{{- $names = concat $names (get $profiles .) -}}
{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Matches every spelling of a header that only the gateway may set. */}}
{{- define "gateway.identityPattern" -}}
{{- $other := "[^a-z0-9]" -}}
{{- $names := list "x-forwarded-(user|email|email-verified|preferred-username|name|groups|provider)" "x-auth-request-.*" "remote-(user|email|name|groups)" "x-webauth-.*" "x-gateway-.*" -}}
{{- $configured := (default (dict) .Values.config.identity).headers -}}
{{- if kindIs "map" $configured -}}
{{- range $name := keys $configured | sortAlpha -}}{{- $names = append $names (lower $name) -}}{{- end -}}
{{- end -}}
{{- printf "(?i)^(%s)$" (join "|" $names | replace "-" $other) -}}
{{- end -}}
