extension Translations {
    static let vietnamese: [String: String] = [
        "You do not have access to this page":
            "Bạn không có quyền truy cập trang này",
        "You are signed in, but your account is not allowed to open this page.":
            "Bạn đã đăng nhập, nhưng tài khoản của bạn không được phép mở trang này.",
        "Use another account, or ask the site's administrator for access.":
            "Hãy dùng tài khoản khác, hoặc xin quyền truy cập từ người quản lý trang web này.",
        "Please sign in":
            "Vui lòng đăng nhập",
        "You need to sign in to open this page.":
            "Bạn cần đăng nhập để mở trang này.",
        "After you sign in, you return to this page.":
            "Sau khi đăng nhập, bạn sẽ quay lại trang này.",
        "Please sign in again":
            "Vui lòng đăng nhập lại",
        "A stronger sign-in is required":
            "Cần đăng nhập theo cách an toàn hơn",
        "This page requires a stronger sign-in than the one you made.":
            "Trang này yêu cầu cách đăng nhập an toàn hơn cách bạn đã dùng.",
        "Sign in again with a stronger method, such as a security key.":
            "Hãy đăng nhập lại bằng cách an toàn hơn, chẳng hạn bằng khóa bảo mật.",
        "This page requires a recent sign-in, and your last one is too old.":
            "Trang này yêu cầu bạn đăng nhập gần đây, nhưng lần đăng nhập của bạn đã quá lâu.",
        "Sign in again to continue.":
            "Hãy đăng nhập lại để tiếp tục.",
        "Your session has ended":
            "Phiên của bạn đã kết thúc",
        "A request from another site was blocked":
            "Đã chặn một yêu cầu từ trang web khác",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "Một trang của trang web khác, hoặc một chương trình, đã thử thay đổi điều gì đó ở đây bằng phiên của bạn. Không có gì bị thay đổi.",
        "If you intended this, open this site and repeat the step there.":
            "Nếu đó là chủ ý của bạn, hãy mở trang web này và làm lại bước đó ở đây.",
        "You were inactive for too long, or you signed out in another window.":
            "Bạn không hoạt động quá lâu, hoặc đã đăng xuất ở cửa sổ khác.",
        "Sign in again to continue where you left off.":
            "Đăng nhập lại để tiếp tục từ chỗ bạn đang dở.",
        "A second factor is required":
            "Cần có yếu tố thứ hai",
        "This page requires a second factor, and you signed in without one.":
            "Trang này yêu cầu yếu tố thứ hai, nhưng bạn đã đăng nhập mà không dùng.",
        "Sign in again and confirm with your second factor.":
            "Đăng nhập lại và xác nhận bằng yếu tố thứ hai của bạn.",
        "The sign-in was not allowed":
            "Lần đăng nhập không được cho phép",
        "The provider refused the sign-in, or it was cancelled there.":
            "Nhà cung cấp đã từ chối lần đăng nhập này, hoặc nó đã bị hủy ở đó.",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "Nếu bạn hủy do nhầm lẫn, hãy đăng nhập lại. Nếu không, có thể tài khoản của bạn chưa được cấp quyền.",
        "The sign-in could not be completed":
            "Không thể hoàn tất việc đăng nhập",
        "The sign-in was started in another browser, or its cookie is missing.":
            "Việc đăng nhập được bắt đầu ở trình duyệt khác, hoặc cookie của nó bị thiếu.",
        "Sign in again. If this happens again, allow cookies for this site.":
            "Hãy đăng nhập lại. Nếu vẫn xảy ra, hãy cho phép cookie của trang web này.",
        "The sign-in took too long, or it was already completed.":
            "Việc đăng nhập mất quá nhiều thời gian, hoặc đã được hoàn tất trước đó.",
        "Sign in again.":
            "Hãy đăng nhập lại.",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "Phản hồi đến từ một nhà cung cấp khác với nhà cung cấp bạn đã chọn, nên đã bị từ chối.",
        "Sign in again. If this happens again, tell the site's administrator.":
            "Hãy đăng nhập lại. Nếu vẫn xảy ra, hãy báo cho người quản lý trang web này.",
        "The provider needs your input":
            "Nhà cung cấp cần bạn trả lời",
        "The provider could not sign you in without showing you a page.":
            "Nhà cung cấp không thể cho bạn đăng nhập nếu không hiển thị một trang.",
        "Sign in again and follow the provider's instructions.":
            "Hãy đăng nhập lại và làm theo hướng dẫn của nhà cung cấp.",
        "The provider's response was incomplete or contradictory.":
            "Phản hồi của nhà cung cấp không đầy đủ hoặc mâu thuẫn.",
        "This link does not work":
            "Liên kết này không hoạt động",
        "A part of the address is missing, repeated or not allowed.":
            "Một phần của địa chỉ bị thiếu, bị lặp hoặc không được phép.",
        "Go to the start page and try from there.":
            "Hãy đến trang chủ và thử từ đó.",
        "This form has expired":
            "Biểu mẫu này đã hết hạn",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "Biểu mẫu đã được mở quá lâu hoặc thuộc về một phiên khác. Không có gì bị thay đổi.",
        "Open the page again and repeat the step.":
            "Mở lại trang và làm lại bước đó.",
        "Unknown provider":
            "Nhà cung cấp không xác định",
        "The provider in this address is not configured on this site, or it is disabled.":
            "Nhà cung cấp trong địa chỉ này chưa được thiết lập trên trang web này, hoặc đã bị tắt.",
        "Choose one of the providers of this site.":
            "Hãy chọn một trong các nhà cung cấp của trang web này.",
        "The provider could not sign you in":
            "Nhà cung cấp không thể cho bạn đăng nhập",
        "The provider returned an error.":
            "Nhà cung cấp đã trả về lỗi.",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "Hãy thử lại sau giây lát. Nếu vẫn không được, hãy báo cho người quản lý trang web này.",
        "The provider's response failed verification":
            "Phản hồi của nhà cung cấp không vượt qua kiểm tra",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "Thông tin về bạn mà nhà cung cấp gửi không vượt qua kiểm tra bảo mật nên đã bị từ chối.",
        "Try again. If it still fails, tell the site's administrator.":
            "Hãy thử lại. Nếu vẫn không được, hãy báo cho người quản lý trang web này.",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "Nhà cung cấp đã xác nhận đăng nhập, nhưng trang web này không dùng được phản hồi đó.",
        "The provider did not send usable information about your account.":
            "Nhà cung cấp không gửi thông tin dùng được về tài khoản của bạn.",
        "Two responses of the provider name different accounts, so both were rejected.":
            "Hai phản hồi của nhà cung cấp nêu hai tài khoản khác nhau nên cả hai đều bị từ chối.",
        "The provider cannot be reached":
            "Không liên lạc được với nhà cung cấp",
        "This site could not connect to the provider.":
            "Trang web này không thể kết nối với nhà cung cấp.",
        "Try again in a minute. Your account is not affected.":
            "Hãy thử lại sau một phút. Tài khoản của bạn không bị ảnh hưởng.",
        "The provider takes too long":
            "Nhà cung cấp trả lời quá lâu",
        "The provider did not respond in time.":
            "Nhà cung cấp đã không phản hồi kịp thời.",
        "Sessions are unavailable":
            "Hiện không dùng được phiên đăng nhập",
        "The sign-out failed":
            "Không đăng xuất được",
        "This site could not record that you signed out.":
            "Trang web này không thể ghi lại việc bạn đã đăng xuất.",
        "Try again in a minute. On a shared computer, close the browser.":
            "Hãy thử lại sau một phút. Trên máy tính dùng chung, hãy đóng trình duyệt.",
        "This site cannot reach its session store.":
            "Trang web này không truy cập được kho lưu phiên.",
        "Try again in a minute. You have not been signed out.":
            "Hãy thử lại sau một phút. Bạn chưa bị đăng xuất.",
        "The token was rejected":
            "Mã thông báo bị từ chối",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "Mã thông báo sai định dạng, đã hết hạn, được cấp cho trang web khác hoặc thuộc loại không được chấp nhận ở đây.",
        "Get a new token for this site and send it in the Authorization header.":
            "Hãy lấy mã thông báo mới cho trang web này và gửi trong tiêu đề Authorization.",
        "The token lacks a scope":
            "Mã thông báo thiếu phạm vi",
        "The token is valid, but it lacks a scope that is required here.":
            "Mã thông báo hợp lệ nhưng thiếu một phạm vi cần có ở đây.",
        "Ask the provider for a token with the scopes of this API.":
            "Hãy yêu cầu nhà cung cấp cấp mã thông báo có các phạm vi của API này.",
        "The logout token was rejected":
            "Mã thông báo đăng xuất bị từ chối",
        "The logout token is malformed, expired, already used or issued for another site.":
            "Mã thông báo đăng xuất sai định dạng, đã hết hạn, đã dùng hoặc được cấp cho trang web khác.",
        "Send a new logout token.":
            "Hãy gửi mã thông báo đăng xuất mới.",
        "The request was not understood":
            "Không hiểu yêu cầu",
        "Your browser or program sent a request that this site does not accept.":
            "Trình duyệt hoặc chương trình của bạn đã gửi một yêu cầu mà trang web này không chấp nhận.",
        "Check the address, or go to the start page.":
            "Kiểm tra địa chỉ, hoặc đến trang chủ.",
        "The app cannot be reached":
            "Không liên lạc được với ứng dụng",
        "The app behind this page did not send a usable response.":
            "Ứng dụng phía sau trang này không gửi phản hồi dùng được.",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "Hãy thử lại sau một phút. Nếu vẫn không được, hãy báo cho người quản lý trang web này.",
        "Something went wrong":
            "Đã có lỗi xảy ra",
        "An internal error occurred in the gateway. You did not cause it.":
            "Đã xảy ra lỗi nội bộ trong cổng. Lỗi này không phải do bạn.",
        "The rules of this site do not allow this request.":
            "Quy tắc của trang web này không cho phép yêu cầu này.",
        "If you need access, ask the site's administrator.":
            "Nếu bạn cần quyền truy cập, hãy liên hệ người quản lý trang web này.",
        "This page is not allowed to connect":
            "Trang này không được phép kết nối",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "Một trang của trang web khác đã thử kết nối tới đây bằng phiên của bạn. Kết nối đã bị từ chối.",
        "If the page is yours, serve it from this site's address.":
            "Nếu trang đó là của bạn, hãy cung cấp nó từ địa chỉ của trang web này.",
        "Page not found":
            "Không tìm thấy trang",
        "There is no page at this address.":
            "Không có trang nào ở địa chỉ này.",
        "Check the address for typing errors, or go to the start page.":
            "Kiểm tra xem địa chỉ có gõ nhầm không, hoặc đến trang chủ.",
        "This request is not allowed here":
            "Yêu cầu này không được phép ở đây",
        "This address does not accept this kind of request.":
            "Địa chỉ này không nhận loại yêu cầu này.",
        "Go back and use the links or buttons of the page.":
            "Hãy quay lại và dùng các liên kết hoặc nút trên trang.",
        "The request took too long to arrive":
            "Yêu cầu đến quá chậm",
        "Your browser or program did not finish sending the request in time.":
            "Trình duyệt hoặc chương trình của bạn chưa gửi xong yêu cầu kịp thời.",
        "Check your connection and try again.":
            "Kiểm tra kết nối của bạn rồi thử lại.",
        "The request is too large":
            "Yêu cầu quá lớn",
        "You sent more data than this site accepts.":
            "Bạn đã gửi nhiều dữ liệu hơn mức trang web này chấp nhận.",
        "Send less data, or ask the site's administrator to raise the limit.":
            "Hãy gửi ít dữ liệu hơn, hoặc nhờ người quản lý trang web này nâng giới hạn.",
        "The address is too long":
            "Địa chỉ quá dài",
        "The address is longer than this site accepts.":
            "Địa chỉ dài hơn mức trang web này chấp nhận.",
        "Your program expects a feature that this site does not offer.":
            "Chương trình của bạn cần một tính năng mà trang web này không cung cấp.",
        "Send the request without the Expect header.":
            "Hãy gửi yêu cầu mà không có tiêu đề Expect.",
        "Wrong host name":
            "Tên máy chủ không đúng",
        "The host name in the address does not belong to this site.":
            "Tên máy chủ trong địa chỉ không thuộc về trang web này.",
        "Check the address for typing errors.":
            "Kiểm tra xem địa chỉ có gõ nhầm không.",
        "Too many requests":
            "Quá nhiều yêu cầu",
        "There were too many requests in a short time.":
            "Có quá nhiều yêu cầu trong thời gian ngắn.",
        "Wait a minute, then try again.":
            "Chờ một phút rồi thử lại.",
        "The headers of the request are too large":
            "Tiêu đề của yêu cầu quá lớn",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "Trình duyệt của bạn đã gửi tiêu đề lớn hơn mức trang web này chấp nhận. Nguyên nhân thường là cookie cũ.",
        "Delete the cookies of this site and try again.":
            "Xóa cookie của trang web này rồi thử lại.",
        "This request is not supported":
            "Yêu cầu này không được hỗ trợ",
        "The request uses a feature that this site does not support.":
            "Yêu cầu dùng một tính năng mà trang web này không hỗ trợ.",
        "Temporarily unavailable":
            "Tạm thời không khả dụng",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "Trang web này lưu nhật ký đăng nhập và truy cập, và hiện không thể ghi nhật ký đó.",
        "The site is busy or restarting":
            "Trang web đang bận hoặc đang khởi động lại",
        "The site cannot process the request right now.":
            "Trang web hiện không thể xử lý yêu cầu.",
        "Try again in a minute.":
            "Hãy thử lại sau một phút.",
        "The app is busy":
            "Ứng dụng đang bận",
        "The app behind this page is handling as many requests as it can.":
            "Ứng dụng phía sau trang này đã nhận số yêu cầu tối đa mà nó có thể xử lý.",
        "The app takes too long":
            "Ứng dụng trả lời quá lâu",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "Ứng dụng phía sau trang này đã không phản hồi kịp thời. Có thể nó vẫn đang xử lý yêu cầu của bạn.",
        "Wait a minute before you try again.":
            "Chờ một phút trước khi thử lại.",
        "Your program uses an HTTP version that this site does not support.":
            "Chương trình của bạn dùng một phiên bản HTTP mà trang web này không hỗ trợ.",
        "Use HTTP/1.1 or HTTP/2.":
            "Hãy dùng HTTP/1.1 hoặc HTTP/2.",
        "The request went in a loop":
            "Yêu cầu bị lặp vòng",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "Yêu cầu quay lại cổng vì địa chỉ của ứng dụng trỏ đến cổng.",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "Hãy báo cho người quản lý trang web này rằng một upstream trỏ đến chính cổng này.",
        "Sign in":
            "Đăng nhập",
        "to continue to {site}":
            "để tiếp tục đến {site}",
        "Sign in with {provider}":
            "Đăng nhập bằng {provider}",
        "Last used":
            "Dùng lần trước",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "Trang web này chưa bật nhà cung cấp nào. Hãy báo cho người quản lý trang web này.",
        "Your session has ended. Sign in to continue where you left off.":
            "Phiên của bạn đã kết thúc. Đăng nhập để tiếp tục từ chỗ bạn đang dở.",
        "This page requires a recent sign-in. Please sign in again.":
            "Trang này yêu cầu bạn đăng nhập gần đây. Vui lòng đăng nhập lại.",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "Việc đăng nhập mất quá nhiều thời gian hoặc đã được dùng. Vui lòng đăng nhập lại.",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "Hiện không liên lạc được với nhà cung cấp đó. Hãy thử lại sau giây lát hoặc chọn nhà cung cấp khác.",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "Nội dung bạn nhập chưa được gửi. Trước tiên hãy đăng nhập. Sau đó dùng nút Quay lại của trình duyệt để trở về biểu mẫu và gửi lại.",
        "Sign out?":
            "Đăng xuất?",
        "Sign out":
            "Đăng xuất",
        "You are signed in.":
            "Bạn đã đăng nhập.",
        "You are signed in as {name}.":
            "Bạn đã đăng nhập với tên {name}.",
        "Stay signed in":
            "Vẫn đăng nhập",
        "You are signed out":
            "Bạn đã đăng xuất",
        "You are not signed in":
            "Bạn chưa đăng nhập",
        "Your session has ended.":
            "Phiên của bạn đã kết thúc.",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "Có thể bạn vẫn đang đăng nhập tại {provider}. Trên máy dùng chung, hãy đăng xuất ở đó nữa.",
        "There is no session to end.":
            "Không có phiên nào để kết thúc.",
        "Sign in again":
            "Đăng nhập lại",
        "Use another account":
            "Dùng tài khoản khác",
        "Try again":
            "Thử lại",
        "Go to the start page":
            "Đến trang chủ",
        "Code":
            "Mã lỗi",
        "Status":
            "Trạng thái",
        "Request ID":
            "Mã yêu cầu",
        "Provider":
            "Nhà cung cấp",
        "If you ask for help, include the code and the request ID above.":
            "Khi cần trợ giúp, hãy gửi kèm mã lỗi và mã yêu cầu ở trên.",
        "Help":
            "Trợ giúp",
        "Privacy":
            "Quyền riêng tư",
        "Signed in as":
            "Đăng nhập với tài khoản",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "Theo đồng hồ của trang web này, phản hồi của nhà cung cấp đã hết hạn {seconds} giây trước. Có thể đồng hồ bị sai.",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "Theo đồng hồ của trang web này, phản hồi của nhà cung cấp đã có từ {seconds} giây trước. Có thể đồng hồ bị sai.",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "Theo đồng hồ của trang web này, phản hồi của nhà cung cấp đến từ {seconds} giây trong tương lai. Có thể đồng hồ bị sai.",
        "This way of signing in does not work here":
            "Cách đăng nhập này không dùng được ở đây",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "Trình duyệt hoặc chương trình của bạn đã thử đăng nhập vào ứng dụng bằng NTLM hoặc Negotiate, là những cách cần một kết nối riêng. Kết nối đang dùng HTTP/2, hoặc một proxy chia sẻ kết nối của nó cho nhiều người dùng.",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "Hãy dùng HTTP/1.1 không qua proxy, hoặc báo cho quản trị viên trang web.",
    ]
}
