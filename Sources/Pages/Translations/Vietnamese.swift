extension Translations {
    static let vietnamese: [String: String] = [
        "This page is not open to you":
            "Bạn không có quyền mở trang này",
        "You are signed in, but your account is not on the list for this page.":
            "Bạn đã đăng nhập, nhưng tài khoản của bạn không có trong danh sách của trang này.",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "Nếu bạn có tài khoản khác, hãy dùng tài khoản đó. Nếu không, hãy xin quyền truy cập từ người quản lý trang web này.",
        "Please sign in":
            "Vui lòng đăng nhập",
        "This page is for people who are signed in.":
            "Trang này dành cho người đã đăng nhập.",
        "Sign in, and you will come straight back.":
            "Hãy đăng nhập, bạn sẽ được đưa trở lại ngay đây.",
        "Please sign in once more":
            "Vui lòng đăng nhập thêm một lần nữa",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "Trang này yêu cầu lần đăng nhập gần đây, còn lần của bạn đã khá lâu.",
        "Sign in again to go on. Nothing else has changed.":
            "Đăng nhập lại để tiếp tục. Không có gì khác thay đổi.",
        "Your session has ended":
            "Phiên của bạn đã kết thúc",
        "This did not come from here":
            "Việc này không đến từ đây",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "Một trang của trang web khác, hoặc một chương trình, đã thử thay đổi điều gì đó ở đây bằng phiên của bạn. Không có gì bị thay đổi.",
        "If it was you, open this site and repeat the step there.":
            "Nếu đó là bạn, hãy mở trang web này và lặp lại bước đó ở đây.",
        "You were away for a while, or signed out in another window.":
            "Bạn đã rời đi một lúc, hoặc đã đăng xuất ở cửa sổ khác.",
        "Sign in again to go on where you were.":
            "Đăng nhập lại để tiếp tục từ chỗ bạn đang dở.",
        "One more step is needed":
            "Cần thêm một bước",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "Trang này yêu cầu đăng nhập với yếu tố thứ hai, còn lần của bạn thì không có.",
        "Sign in again and confirm with your second factor.":
            "Đăng nhập lại và xác nhận bằng yếu tố thứ hai của bạn.",
        "The sign-in was not allowed":
            "Lần đăng nhập không được cho phép",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "Nhà cung cấp không cho lần đăng nhập này đi qua, hoặc nó đã bị hủy ở đó.",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "Nếu bạn hủy do nhầm lẫn, hãy đăng nhập lại. Nếu không, có thể tài khoản của bạn chưa được cấp quyền.",
        "This sign-in cannot be finished":
            "Không thể hoàn tất lần đăng nhập này",
        "It was not started in this browser, or its cookie is gone.":
            "Nó không được bắt đầu trong trình duyệt này, hoặc cookie của nó đã mất.",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "Hãy bắt đầu lại từ đây. Nếu vẫn xảy ra, hãy cho phép cookie của trang web này.",
        "It took too long, or it was finished already.":
            "Đã quá lâu, hoặc nó đã được hoàn tất trước đó.",
        "Start again from here.":
            "Hãy bắt đầu lại từ đây.",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "Câu trả lời đến từ một nhà cung cấp khác với nơi bạn đã đến, nên không được chấp nhận.",
        "Start again from here. If it happens again, tell the people who run this site.":
            "Hãy bắt đầu lại từ đây. Nếu lại xảy ra, hãy báo cho người quản lý trang web này.",
        "The provider wants to ask you something":
            "Nhà cung cấp muốn hỏi bạn một điều",
        "The provider could not sign you in without showing you a page of its own.":
            "Nhà cung cấp không thể cho bạn đăng nhập nếu không hiển thị trang của họ.",
        "Sign in again and follow what the provider asks.":
            "Đăng nhập lại và làm theo những gì nhà cung cấp yêu cầu.",
        "The answer that came back from the provider was incomplete or contradictory.":
            "Câu trả lời từ nhà cung cấp không đầy đủ hoặc mâu thuẫn.",
        "That link does not work":
            "Liên kết đó không hoạt động",
        "Something in the address is missing, doubled or not allowed.":
            "Có phần trong địa chỉ bị thiếu, bị lặp hoặc không được phép.",
        "Go to the start page and try from there.":
            "Hãy đến trang đầu và thử từ đó.",
        "That form is out of date":
            "Biểu mẫu đó đã cũ",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "Trang bạn gửi đã được mở quá lâu hoặc thuộc về một phiên khác. Không có gì bị thay đổi.",
        "Open the page again and repeat the step.":
            "Mở lại trang và làm lại bước đó.",
        "There is no such sign-in here":
            "Ở đây không có cách đăng nhập đó",
        "The provider in this address is not set up on this site, or is switched off.":
            "Nhà cung cấp trong địa chỉ này chưa được thiết lập trên trang web này, hoặc đã bị tắt.",
        "Choose one of the ways to sign in that this site offers.":
            "Hãy chọn một trong các cách đăng nhập mà trang web này cung cấp.",
        "The provider could not sign you in":
            "Nhà cung cấp không thể cho bạn đăng nhập",
        "The provider answered with an error of its own.":
            "Nhà cung cấp đã trả lời bằng một lỗi của chính họ.",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "Hãy thử lại sau giây lát. Nếu vẫn như vậy, người quản lý trang web này cần xem xét.",
        "The provider's answer did not check out":
            "Câu trả lời của nhà cung cấp không vượt qua kiểm tra",
        "What the provider said about you failed a security check, so it was not accepted.":
            "Những gì nhà cung cấp nói về bạn không vượt qua kiểm tra an toàn, nên không được chấp nhận.",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "Hãy thử lại. Nếu vẫn như vậy, người quản lý trang web này cần xem xét.",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "Nhà cung cấp đã xác nhận đăng nhập theo dạng mà trang web này không dùng được.",
        "The provider did not say in a usable form who you are.":
            "Nhà cung cấp không cho biết bạn là ai theo dạng dùng được.",
        "Two answers of the provider were about different people, so neither was accepted.":
            "Hai câu trả lời của nhà cung cấp nói về hai người khác nhau, nên không câu nào được chấp nhận.",
        "The provider cannot be reached":
            "Không liên lạc được với nhà cung cấp",
        "This site could not talk to the provider that signs you in.":
            "Trang web này không thể liên lạc với nhà cung cấp dùng để đăng nhập cho bạn.",
        "Try again in a minute. Your account is fine.":
            "Hãy thử lại sau một phút. Tài khoản của bạn vẫn ổn.",
        "The provider takes too long":
            "Nhà cung cấp trả lời quá lâu",
        "The provider that signs you in did not answer in time.":
            "Nhà cung cấp dùng để đăng nhập cho bạn đã không trả lời kịp.",
        "Sessions are not available":
            "Hiện không có phiên",
        "The sign-out did not work":
            "Không đăng xuất được",
        "This site could not record that you signed out.":
            "Trang web này không thể ghi lại việc bạn đã đăng xuất.",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "Hãy thử lại sau một phút. Trên máy tính dùng chung, hãy đóng trình duyệt trong mọi trường hợp.",
        "This site cannot reach the place where it keeps sessions.":
            "Trang web này không thể truy cập nơi lưu các phiên.",
        "Try again in a minute. You have not been signed out.":
            "Hãy thử lại sau một phút. Bạn chưa bị đăng xuất.",
        "That token was refused":
            "Mã thông báo đó bị từ chối",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "Mã thông báo bị sai định dạng, đã hết hạn, không dành cho trang này hoặc thuộc loại không được chấp nhận ở đây.",
        "Get a fresh token for this site and send it in the Authorization header.":
            "Hãy lấy mã thông báo mới cho trang này và gửi trong tiêu đề Authorization.",
        "That token allows too little":
            "Mã thông báo đó cho phép quá ít",
        "The token is good, but it lacks a scope that is needed here.":
            "Mã thông báo hợp lệ nhưng thiếu một phạm vi cần có ở đây.",
        "Ask the provider for a token with the scopes of this API.":
            "Hãy yêu cầu nhà cung cấp cấp mã thông báo có các phạm vi của API này.",
        "That logout token was refused":
            "Mã đăng xuất đó bị từ chối",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "Mã đăng xuất bị sai dạng, hết hạn, đã dùng hoặc không dành cho trang web này.",
        "Send a fresh logout token.":
            "Hãy gửi một mã đăng xuất mới.",
        "The request was not understood":
            "Không hiểu yêu cầu",
        "Your browser or program sent something that this site does not accept.":
            "Trình duyệt hoặc chương trình của bạn đã gửi thứ mà trang web này không chấp nhận.",
        "Check the address, or go to the start page.":
            "Kiểm tra địa chỉ, hoặc đến trang đầu.",
        "The app cannot be reached":
            "Không liên lạc được với ứng dụng",
        "You got this far, but the app behind this page did not give a usable answer.":
            "Bạn đã đến được đây, nhưng ứng dụng phía sau trang này không đưa ra câu trả lời dùng được.",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "Hãy thử lại sau một phút. Nếu vẫn như vậy, hãy báo cho người quản lý trang web này.",
        "Something went wrong here":
            "Đã có lỗi xảy ra ở đây",
        "The gateway ran into a fault of its own. It is not something you did.":
            "Cổng này gặp lỗi của chính nó. Không phải do bạn.",
        "The rules of this site do not allow this request.":
            "Quy tắc của trang web này không cho phép yêu cầu này.",
        "If you think they should, ask the people who run this site.":
            "Nếu bạn nghĩ là nên cho phép, hãy hỏi người quản lý trang web này.",
        "This page may not connect here":
            "Trang này không được kết nối tới đây",
        "A page of another site tried to connect here with your session, and was not let in.":
            "Một trang của trang web khác đã thử kết nối tới đây bằng phiên của bạn và không được cho vào.",
        "If it is a page of yours, it must come from this site's own address.":
            "Nếu đó là trang của bạn, nó phải đến từ chính địa chỉ của trang web này.",
        "There is nothing here":
            "Ở đây không có gì",
        "This address does not lead to a page.":
            "Địa chỉ này không dẫn đến trang nào.",
        "Check the address for a slip, or go to the start page.":
            "Kiểm tra xem địa chỉ có gõ nhầm không, hoặc đến trang đầu.",
        "That cannot be done here":
            "Không thể làm điều đó ở đây",
        "This address does not take that kind of request.":
            "Địa chỉ này không nhận loại yêu cầu đó.",
        "Go back and follow the links or buttons of the page.":
            "Hãy quay lại và dùng các liên kết hoặc nút trên trang.",
        "The request took too long to arrive":
            "Yêu cầu đến quá chậm",
        "Your browser or program did not finish sending in time.":
            "Trình duyệt hoặc chương trình của bạn chưa gửi xong kịp thời.",
        "Check your connection and try again.":
            "Kiểm tra kết nối của bạn rồi thử lại.",
        "That is too large":
            "Quá lớn",
        "What you sent is larger than this site accepts.":
            "Những gì bạn gửi lớn hơn mức trang web này chấp nhận.",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "Hãy gửi thứ nhỏ hơn, hoặc nhờ người quản lý trang web này nâng giới hạn.",
        "That address is too long":
            "Địa chỉ đó quá dài",
        "The address is longer than this site accepts.":
            "Địa chỉ dài hơn mức trang web này chấp nhận.",
        "Your program expects something that this site does not offer.":
            "Chương trình của bạn cần điều mà trang web này không cung cấp.",
        "Send the request without the Expect header.":
            "Hãy gửi yêu cầu mà không có trường Expect.",
        "This is not the right place":
            "Đây không phải đúng nơi",
        "The name in the address does not belong to this site.":
            "Tên trong địa chỉ không thuộc về trang web này.",
        "Check the address for a slip.":
            "Kiểm tra xem địa chỉ có gõ nhầm không.",
        "That was a lot at once":
            "Quá nhiều cùng một lúc",
        "There were too many requests in a short time.":
            "Có quá nhiều yêu cầu trong thời gian ngắn.",
        "Wait a minute, then try again.":
            "Chờ một phút rồi thử lại.",
        "Your browser sent too much at once":
            "Trình duyệt của bạn gửi quá nhiều cùng một lúc",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "Phần đầu của yêu cầu lớn hơn mức trang web này chấp nhận. Thường là do cookie cũ.",
        "Delete the cookies of this site and try again.":
            "Xóa cookie của trang web này rồi thử lại.",
        "That is not supported":
            "Không được hỗ trợ",
        "The request uses a feature that this site does not support.":
            "Yêu cầu dùng một tính năng mà trang web này không hỗ trợ.",
        "Temporarily unavailable":
            "Tạm thời không khả dụng",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "Trang này lưu nhật ký đăng nhập và truy cập, và hiện không thể ghi nhật ký đó.",
        "The site is busy or restarting":
            "Trang web đang bận hoặc đang khởi động lại",
        "The site cannot take the request right now.":
            "Trang web hiện không thể nhận yêu cầu.",
        "Try again in a minute.":
            "Hãy thử lại sau một phút.",
        "The app is busy":
            "Ứng dụng đang bận",
        "The app behind this page has as many requests as it can take.":
            "Ứng dụng phía sau trang này đã nhận số yêu cầu tối đa mà nó có thể xử lý.",
        "The app takes too long":
            "Ứng dụng trả lời quá lâu",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "Ứng dụng phía sau trang này đã không trả lời kịp. Có thể nó vẫn đang xử lý những gì bạn gửi.",
        "Wait a minute before you try again.":
            "Chờ một phút trước khi thử lại.",
        "Your program speaks a version of HTTP that this site does not.":
            "Chương trình của bạn dùng phiên bản HTTP mà trang web này không dùng.",
        "Use HTTP/1.1 or HTTP/2.":
            "Hãy dùng HTTP/1.1 hoặc HTTP/2.",
        "The request went in a circle":
            "Yêu cầu đi vòng tròn",
        "The request came back to this gateway: the app's address leads here again.":
            "Yêu cầu đã quay lại cổng này: địa chỉ của ứng dụng lại dẫn về đây.",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "Hãy báo cho người quản lý trang web này: một upstream trỏ về chính cổng này.",
        "Sign in":
            "Đăng nhập",
        "to continue to {site}":
            "để tiếp tục đến {site}",
        "Continue with {provider}":
            "Tiếp tục với {provider}",
        "Last used":
            "Dùng lần trước",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "Hiện chưa bật cách đăng nhập nào ở đây. Vui lòng báo cho người quản lý trang web này.",
        "Your session has ended. Sign in to go on where you were.":
            "Phiên của bạn đã kết thúc. Đăng nhập để tiếp tục từ chỗ bạn đang dở.",
        "This page asks for a recent sign-in. Please sign in once more.":
            "Trang này yêu cầu lần đăng nhập gần đây. Vui lòng đăng nhập thêm một lần nữa.",
        "That sign-in took too long or was already used. Please start again.":
            "Lần đăng nhập đó quá lâu hoặc đã được dùng. Vui lòng bắt đầu lại.",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "Hiện không liên lạc được với nhà cung cấp đó. Hãy thử lại sau giây lát hoặc chọn nhà cung cấp khác.",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "Những gì bạn đã nhập chưa được gửi. Nút Quay lại của trình duyệt sẽ đưa bạn về chỗ đó: hãy đăng nhập trước rồi gửi lại.",
        "Sign out?":
            "Đăng xuất?",
        "Sign out":
            "Đăng xuất",
        "You are signed in to {site}.":
            "Bạn đang đăng nhập vào {site}.",
        "You are signed in to {site} as {name}.":
            "Bạn đang đăng nhập vào {site} với tên {name}.",
        "Stay signed in":
            "Vẫn đăng nhập",
        "You are signed out":
            "Bạn đã đăng xuất",
        "You are not signed in":
            "Bạn chưa đăng nhập",
        "Your session at {site} has ended.":
            "Phiên của bạn tại {site} đã kết thúc.",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "Có thể bạn vẫn đang đăng nhập tại {provider}. Trên máy dùng chung, hãy đăng xuất ở đó nữa.",
        "There is no session to end at {site}.":
            "Không có phiên nào để kết thúc tại {site}.",
        "Sign in again":
            "Đăng nhập lại",
        "Use another account":
            "Dùng tài khoản khác",
        "Try again":
            "Thử lại",
        "Go to the start page":
            "Đến trang đầu",
        "Code":
            "Mã",
        "Status":
            "Trạng thái",
        "Request":
            "Yêu cầu",
        "Provider":
            "Nhà cung cấp",
        "If you ask for help, please pass on the code and the request number above.":
            "Nếu bạn nhờ trợ giúp, hãy gửi kèm mã và số yêu cầu ở trên.",
    ]
}
