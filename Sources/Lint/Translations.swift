/// Machine translations of protocol parameters.
enum Translations {
    /// The reserved parameter whose translation the name is.
    static func meaning(of name: String) -> String? {
        let folded = name.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 }
        return table[String(folded)]
    }

    private static let table: [String: String] = {
        var table: [String: String] = [:]
        for (meaning, names) in names { for name in names { table[name] = meaning } }
        return table
    }()

    /// Translations from Spanish, French, Portuguese, Italian, German, Catalan, Dutch, Polish, Russian, Turkish, Indonesian,
    /// Vietnamese, Chinese, Japanese and Korean.
    private static let names: [(String, [String])] = [
        (
            "redirect_uri",
            [
                "redirigir_uri", "uri_redireccion", "uri_de_redireccion", "uri_redirección", "uri_de_redirección", "redireccionar_uri",
                "redireccion_uri",
                "rediriger_uri", "uri_de_redirection", "uri_redirection", "redirecionar_uri", "uri_de_redirecionamento", "reindirizza_uri",
                "reindirizzare_uri", "uri_di_reindirizzamento", "umleitungs_uri", "weiterleitungs_uri", "umleiten_uri", "redirigeix_uri",
                "omleiding_uri", "omleidings_uri", "przekieruj_uri", "przekierowanie_uri", "перенаправление_uri", "yönlendirme_uri",
                "yonlendirme_uri",
                "alihkan_uri", "pengalihan_uri", "chuyển_hướng_uri", "chuyen_huong_uri", "重定向_uri", "重新導向_uri", "重新导向_uri",
                "リダイレクト_uri", "리디렉션_uri",
            ]
        ),
        (
            "response_type",
            [
                "tipo_respuesta", "tipo_de_respuesta", "type_reponse", "type_de_reponse", "type_réponse", "type_de_réponse",
                "tipo_resposta",
                "tipo_de_resposta", "tipo_risposta", "tipo_di_risposta", "antwort_typ", "antworttyp", "antwort_type", "antwoord_type",
                "tipus_resposta", "typ_odpowiedzi", "тип_ответа", "yanıt_türü", "yanit_turu", "jenis_respons", "tipe_respons",
                "loại_phản_hồi",
                "loai_phan_hoi", "响应类型", "回應類型", "回應_類型", "响应_类型", "レスポンスタイプ", "응답_유형",
            ]
        ),
        (
            "scope",
            [
                "alcance", "ámbito", "ambito", "portée", "portee", "escopo", "âmbito", "geltungsbereich", "umfang", "bereich", "abast",
                "bereik",
                "zakres", "область", "kapsam", "cakupan", "ruang_lingkup", "phạm_vi", "pham_vi", "范围", "範圍", "スコープ", "범위",
            ]
        ),
        (
            "state",
            [
                "estado", "état", "etat", "stato", "zustand", "estat", "staat", "stan", "состояние", "durum", "keadaan", "trạng_thái",
                "trang_thai",
                "状态", "狀態", "状態", "상태",
            ]
        ),
        (
            "client_id",
            [
                "id_cliente", "cliente_id", "id_de_cliente", "identifiant_client", "id_client", "id_do_cliente", "id_del_client",
                "kunden_id",
                "klient_id", "id_klienta", "идентификатор_клиента", "istemci_kimliği", "id_klien", "klien_id", "id_khách_hàng", "客户端_id",
                "用戶端_id", "クライアント_id", "클라이언트_id",
            ]
        ),
        (
            "response_mode",
            [
                "modo_respuesta", "modo_de_respuesta", "mode_reponse", "mode_de_réponse", "modo_resposta", "antwort_modus", "antwortmodus",
                "modalità_risposta",
            ]
        ),
        (
            "client_secret",
            ["secreto_cliente", "secreto_de_cliente", "secret_client", "segredo_do_cliente", "kunden_geheimnis", "segreto_client"]
        ),
    ]
}
