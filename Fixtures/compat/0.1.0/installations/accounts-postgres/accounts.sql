--
-- PostgreSQL database dump
--

\restrict pJUCZXZdHxXUkLZEc2nvMXDuNnfYb2WbcF6KqJEJJuMbsnIDdN3laep251br245

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    uid text NOT NULL COLLATE pg_catalog."C",
    email text,
    address text COLLATE pg_catalog."C",
    owned_address text COLLATE pg_catalog."C",
    password_address text COLLATE pg_catalog."C",
    is_shadowed bigint NOT NULL,
    verified_by text,
    name text,
    picture text,
    is_anonymous bigint NOT NULL,
    is_disabled bigint NOT NULL,
    created_at bigint NOT NULL,
    last_sign_in_at bigint,
    password_hash text,
    revision bigint NOT NULL
);


--
-- Name: attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attempts (
    digest bytea NOT NULL,
    times bytea NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: counters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.counters (
    name text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL
);


--
-- Name: endings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.endings (
    number bigint NOT NULL,
    uid text NOT NULL,
    provider text,
    before_time bigint NOT NULL,
    keep text
);


--
-- Name: factors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.factors (
    id text NOT NULL COLLATE pg_catalog."C",
    uid text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    type text NOT NULL,
    display_name text,
    enrolled_at bigint NOT NULL,
    secret bytea,
    last_step bigint,
    credential_id bytea,
    public_key bytea,
    counter bigint,
    transports text
);


--
-- Name: gateway_schema; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.gateway_schema (
    version bigint NOT NULL
);


--
-- Name: identities; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identities (
    provider text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    uid text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    email text,
    email_verified bigint NOT NULL,
    username text,
    name text,
    linked_at bigint NOT NULL
);


--
-- Name: mail_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_tokens (
    digest bytea NOT NULL,
    uid text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL,
    email text NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: message_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.message_codes (
    challenge bytea NOT NULL,
    uid text NOT NULL COLLATE pg_catalog."C",
    code bytea NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    payload text NOT NULL,
    created_at bigint NOT NULL,
    due_at bigint NOT NULL,
    attempts bigint NOT NULL
);


--
-- Name: recovery_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recovery_codes (
    digest bytea NOT NULL,
    factor text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: used_ids; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.used_ids (
    digest bytea NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('xwp4qb3atpjh2jtbp7nrqezho3', 'ivan@example.com', 'ivan@example.com', 'ivan@example.com', 'ivan@example.com', 0, NULL, NULL, NULL, 0, 0, 1795872415760, NULL, '$scrypt$ln=17,r=8,p=1$ZON3THnRw1lg3k0AKBA8Ag$SrKYnHRssfzBLKad4Y6W81PBN1L1uPyGW78QhBnw24A', 1);
INSERT INTO public.accounts VALUES ('n75zcr5qtuul7sr5xu73hm6y2a', 'jane@example.com', 'jane@example.com', 'jane@example.com', 'jane@example.com', 0, 'operation', 'Jane Example', NULL, 0, 0, 1795872417008, NULL, '$scrypt$ln=17,r=8,p=1$xdfaS7TZmfItR2hG76kIkw$FEoXg/SX5stVtVNnXDZvNlcUnR4XddGOjm+mtExAl+0', 2);
INSERT INTO public.accounts VALUES ('akbbscr4xegmoz2rvg75mrl6hw', 'ada@example.com', 'ada@example.com', 'ada@example.com', 'ada@example.com', 0, 'mail', NULL, NULL, 0, 0, 1795872403044, 1795872405994, '$scrypt$ln=17,r=8,p=1$EuB3ZbdhRfcmEODQaVocEA$hnkTX76TDm1rhEl+wLdAXeU6RCm6w09tG/xIuchdqzc', 4);
INSERT INTO public.accounts VALUES ('q7cvpare7clemui3a2pvmvfzbn', 'bea@example.com', 'bea@example.com', 'bea@example.com', 'bea@example.com', 0, 'operation', 'Bea Example', NULL, 0, 0, 1795872406880, 1795872409837, '$scrypt$ln=17,r=8,p=1$ggEZEX2KR5yHckhDxcCsmQ$XK+z5hKol4yPhWLfkbJhPYFXaj6w1apXnYeyuqCzcmk', 3);
INSERT INTO public.accounts VALUES ('q6sbbcxs3ognsysnpmhw6o5dnu', 'carl@example.com', 'carl@example.com', 'carl@example.com', NULL, 0, 'provider:oidc.acme', 'Carl Zoë Example', 'https://login.example.com/carl.png', 0, 0, 1795872409863, 1795872409863, NULL, 2);
INSERT INTO public.accounts VALUES ('qu4jwf6sv6dahyqp5tajifia4q', 'kim@example.com', 'kim@example.com', 'kim@example.com', 'kim@example.com', 0, 'operation', 'Kim Example', NULL, 0, 0, 1795872418060, 1795872420187, '$scrypt$ln=17,r=8,p=1$MS4IGMdiGsE8YEHMSF6F9w$H3nzV0jXoQJySmSvkHyNXGjm22iW93d2xZCnA3wxUyk', 2);
INSERT INTO public.accounts VALUES ('muzgerv5db4ef6uqhdjphpzak3', 'dora@example.com', 'dora@example.com', 'dora@example.com', 'dora@example.com', 0, 'provider:oidc.acme', 'Dora Zoë Example', 'https://login.example.com/dora.png', 0, 0, 1795872410109, 1795872421370, '$scrypt$ln=17,r=8,p=1$7tyCd45ZroUBhBNOQTVVVg$LVaYpQUFajMmuOlFq6c29WkDcql6pFjfa4u74uqnxBs', 3);
INSERT INTO public.accounts VALUES ('5j6fkohj2mw2y56wbvh5aasina', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1, 0, 1795872413006, 1795872413006, NULL, 1);
INSERT INTO public.accounts VALUES ('phej2rwpfgu7nnsnhvtxbd62t4', 'emil@example.com', 'emil@example.com', 'emil@example.com', 'emil@example.com', 0, 'operation', 'Emil Example', NULL, 0, 1, 1795872413042, NULL, '$scrypt$ln=17,r=8,p=1$jY/qWC+GP7MAZZYauWiNag$VfyLR9oDJ7cZyuq03+x1aVWKYDzLo5m4PlCheiBuU6c', 3);
INSERT INTO public.accounts VALUES ('Zx9KqLm2Nop3QrStUvWxYz012345', 'fay@example.com', 'fay@example.com', 'fay@example.com', 'fay@example.com', 0, 'operation', NULL, NULL, 0, 0, 1795872415695, NULL, '$firebase-scrypt$ln=14,r=8,p=1$42xEC+ixf3L2lwc$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ$IE5iHSJkoaGukvW7MZhCqN8va81S60c8CaUJN5mf9ig', 1);
INSERT INTO public.accounts VALUES ('imported.user~1', 'hana@example.com', 'hana@example.com', 'hana@example.com', NULL, 0, NULL, 'Hana', NULL, 0, 0, 1795872415735, NULL, NULL, 1);


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.attempts VALUES ('\x7cd4c922c6d8b8abb0ce7f09377793f2bd49864ee439f7b79645d2c2ac773751', '\x000001a222564912', 1795873309874);
INSERT INTO public.attempts VALUES ('\x68fde524ce38f489f4a685bcbff257c484fcde5e97ae7178d8794539e4aa83db', '\x000001a22256554e', 1795873313006);
INSERT INTO public.attempts VALUES ('\xee156bcab7f95841b3685e6f05e75deb810a9454e9d6a9cebf0efbd91bed9ea1', '\x000001a222562e64000001a222566010', 1795873315760);
INSERT INTO public.attempts VALUES ('\x78daaf82600093f7c89b3d7bf3a848f5cbe5eb2ff34edb3943f6ca8a37639c9c', '\x000001a222566891', 1795873317937);
INSERT INTO public.attempts VALUES ('\xfe4bd6032247f4832b027ad897f0c0f35ab6e3f688f6b55e2927a61fe5abcff9', '\x000001a222566891', 1795873317937);


--
-- Data for Name: counters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.counters VALUES ('endings', 6);


--
-- Data for Name: endings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.endings VALUES (1, 'q7cvpare7clemui3a2pvmvfzbn', NULL, 1795872407668, NULL);
INSERT INTO public.endings VALUES (2, 'muzgerv5db4ef6uqhdjphpzak3', NULL, 1795872412000, NULL);
INSERT INTO public.endings VALUES (3, 'phej2rwpfgu7nnsnhvtxbd62t4', NULL, 1795872415361, NULL);
INSERT INTO public.endings VALUES (4, 'phej2rwpfgu7nnsnhvtxbd62t4', NULL, 1795872415614, NULL);
INSERT INTO public.endings VALUES (5, 'n75zcr5qtuul7sr5xu73hm6y2a', NULL, 1795872417918, NULL);
INSERT INTO public.endings VALUES (6, 'qu4jwf6sv6dahyqp5tajifia4q', NULL, 1795872419098, NULL);


--
-- Data for Name: factors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.factors VALUES ('RYFkz3v93VYnEyKtOb-Igw', 'akbbscr4xegmoz2rvg75mrl6hw', 2, 'recovery', 'My recovery', 1795872405986, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.factors VALUES ('ubduO70NG5fRIh9m9sMcPw', 'akbbscr4xegmoz2rvg75mrl6hw', 1, 'totp', 'My totp', 1795872405981, '\x01e07396a114c2de669d96d7087d97d6e966a594eca60425137d2575bbc5f782a554225b1df37873366529c629929727e143176c25', 59862413, NULL, NULL, NULL, NULL);
INSERT INTO public.factors VALUES ('5rrm8Foi_giEMfFCq2HF2Q', 'q7cvpare7clemui3a2pvmvfzbn', 1, 'webauthn', 'My webauthn', 1795872409791, NULL, NULL, '\xf7bc1130dc7678c507b3eb265c165c749b0748a24f3a49e33c22c382603dcbd6', '\xa50102032620012158200c62f54bf4e84ec296e4a3b6ad748bf422b1c71bd0938914c326c9cb10e74892225820cd76c4c1004a78c3609c720005ed2dee349c647d62c59507a1e97b515215741a', 2, '');
INSERT INTO public.factors VALUES ('7G64a8ugi_84r1WkQ-mAJA', 'q6sbbcxs3ognsysnpmhw6o5dnu', 1, 'phone', 'My phone', 1795872409936, '\x01e07396a19d69d73190c6588d55f91f4d6381af2e449d5296d5f6d11b62978038ecffe5f64a59b3d766088940dadf', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.factors VALUES ('app', 'imported.user~1', 1, 'totp', NULL, 1795872415735, '\x01e07396a1a6b6882f035260f3561f46853b90966f6dba6b59f5055ca6cf16938ec63a30e99e0daa36a39eb7906e06e14e73f916e8', NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: gateway_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.gateway_schema VALUES (4);


--
-- Data for Name: identities; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.identities VALUES ('oidc.acme', 'https://login.example.com', 'subject-of-carl', 'q6sbbcxs3ognsysnpmhw6o5dnu', 1, 'carl@example.com', 1, 'carl', 'Carl Zoë Example', 1795872409863);
INSERT INTO public.identities VALUES ('oidc.acme', 'https://login.example.com', 'subject-of-dora', 'muzgerv5db4ef6uqhdjphpzak3', 1, 'dora@example.com', 1, 'dora', 'Dora Zoë Example', 1795872410109);
INSERT INTO public.identities VALUES ('oidc.beta', 'https://login.example.com', 'subject-of-dora', 'muzgerv5db4ef6uqhdjphpzak3', 2, 'dora@example.com', 1, 'dora', 'Dora Zoë Example', 1795872410173);
INSERT INTO public.identities VALUES ('oidc.acme', 'https://login.example.com', 'subject-of-hana', 'imported.user~1', 1, NULL, 0, NULL, NULL, 1795872415735);


--
-- Data for Name: mail_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.mail_tokens VALUES ('\x98d535b60dff3089f01243150177206a496f6320bcda979ec9773cb7a12268ec', 'xwp4qb3atpjh2jtbp7nrqezho3', 'verify', 'ivan@example.com', 1795876015760);
INSERT INTO public.mail_tokens VALUES ('\x681fe6e39918b14c4a6a05a4906f0021f51eedbd5648b5afa8aef481ea4cc772', 'n75zcr5qtuul7sr5xu73hm6y2a', 'reset', 'jane@example.com', 1795876017937);
INSERT INTO public.mail_tokens VALUES ('\x120acde13222b68fb4a1b57e487349e020af90de54c763b3f7550da6569198b2', 'qu4jwf6sv6dahyqp5tajifia4q', 'change', 'kim-new@example.com', 1795876020095);


--
-- Data for Name: message_codes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.outbox VALUES ('U9tcTku8BoZg9efqPHi1kA', 'merge', '{"current":{"anonymous":false,"email":"dora@example.com","email_verified":true,"name":"Dora Zoë Example","providers":["oidc.acme","oidc.beta","password"],"uid":"muzgerv5db4ef6uqhdjphpzak3"},"event":"merge","id":"U9tcTku8BoZg9efqPHi1kA","previous":{"anonymous":false,"email":"kim@example.com","email_verified":true,"name":"Kim Example","providers":["password"],"uid":"qu4jwf6sv6dahyqp5tajifia4q"}}', 1795872421371, 1795872426514, 1);


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recovery_codes VALUES ('\x3ced6090071b856b7144db105a3868ebd1941a6f1e5e8a01dba2f7754cfa1f7c', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x3cc687d31f7fcd2f918c2164d319d4b7d6233e92ef112716b6ac7fac0219f5fb', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\xf40843d8ff8660807a2851dfba27d18fcb6a3a8a98fdc58f4ec5536a4837412e', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x4a845124e8b60d078d0173b02c2bc42e1f90858b5959b5214f7fe7273a9c5de5', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x01f90e5b3afa6308cff7399f8a172652bae7c587ffe871f45d9072f8e2290ed1', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x774e37c3bc2d639cff94d74d18fdeccccca8e0adacea8a925e855674b387c5a9', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x97b63b2f152573659f1659988155de7f4ad8ee8c3f3b2ff6b1dab2baa0514fb0', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x3a6bb95826e9c0f18f4bf49092c7115c7cd86dc029de498fd17f67fa73621dc5', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x1fac887bb3e25873af55cff4e58e948a05dc98455afe8c8be438930ee16c0a31', 'RYFkz3v93VYnEyKtOb-Igw');
INSERT INTO public.recovery_codes VALUES ('\x61399ef5b369628d6caaf212535f1abafc6990c894a98708e7a8cd3c83874532', 'RYFkz3v93VYnEyKtOb-Igw');


--
-- Data for Name: used_ids; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_ids VALUES ('\xe0d26865470917951ed85d16776f688617abe43f18c78613042eb24a9e1076bc', 1795873005980);
INSERT INTO public.used_ids VALUES ('\x01f072ffe317105a7f114ee2ad8fed5e5982a117e7f7c0ca0334a3c768f94926', 1795873006848);
INSERT INTO public.used_ids VALUES ('\x41eef3adebbf27acaa9544b0e918d3c2eeb310d5b69299ba7a8db78da610fb11', 1795873009786);
INSERT INTO public.used_ids VALUES ('\x3ce3ee18121f064a65d84e70ca33dbd6933fca8437589057ae53bfdcb81b9548', 1795872709834);
INSERT INTO public.used_ids VALUES ('\x85d37ce96eba2ca4e2f3f1be53d8de41c6d28343d68c98a766248fb55dc09cf9', 1795873009874);


--
-- Name: accounts accounts_owned_address; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_owned_address UNIQUE (owned_address);


--
-- Name: accounts accounts_password_address; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_password_address UNIQUE (password_address);


--
-- Name: accounts accounts_uid; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_uid PRIMARY KEY (uid);


--
-- Name: attempts attempts_digest; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_digest PRIMARY KEY (digest);


--
-- Name: counters counters_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_name PRIMARY KEY (name);


--
-- Name: endings endings_number; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.endings
    ADD CONSTRAINT endings_number PRIMARY KEY (number);


--
-- Name: factors factors_credential; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_credential UNIQUE (credential_id);


--
-- Name: factors factors_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_id PRIMARY KEY (id);


--
-- Name: identities identities_account_provider; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_account_provider UNIQUE (uid, provider);


--
-- Name: identities identities_identity; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_identity PRIMARY KEY (provider, issuer, subject);


--
-- Name: mail_tokens mail_tokens_digest; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_tokens
    ADD CONSTRAINT mail_tokens_digest PRIMARY KEY (digest);


--
-- Name: message_codes message_codes_challenge; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.message_codes
    ADD CONSTRAINT message_codes_challenge PRIMARY KEY (challenge);


--
-- Name: outbox outbox_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_id PRIMARY KEY (id);


--
-- Name: recovery_codes recovery_codes_digest; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_digest PRIMARY KEY (factor, digest);


--
-- Name: used_ids used_ids_digest; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.used_ids
    ADD CONSTRAINT used_ids_digest PRIMARY KEY (digest);


--
-- Name: accounts_address; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_address ON public.accounts USING btree (address);


--
-- Name: attempts_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX attempts_expires_at ON public.attempts USING btree (expires_at);


--
-- Name: endings_before_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX endings_before_time ON public.endings USING btree (before_time);


--
-- Name: factors_uid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX factors_uid ON public.factors USING btree (uid);


--
-- Name: mail_tokens_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_tokens_expires_at ON public.mail_tokens USING btree (expires_at);


--
-- Name: mail_tokens_uid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_tokens_uid ON public.mail_tokens USING btree (uid);


--
-- Name: message_codes_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX message_codes_expires_at ON public.message_codes USING btree (expires_at);


--
-- Name: message_codes_uid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX message_codes_uid ON public.message_codes USING btree (uid);


--
-- Name: outbox_due_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_due_at ON public.outbox USING btree (due_at);


--
-- Name: used_ids_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX used_ids_expires_at ON public.used_ids USING btree (expires_at);


--
-- Name: factors factors_account; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_account FOREIGN KEY (uid) REFERENCES public.accounts(uid) ON DELETE CASCADE;


--
-- Name: identities identities_account; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_account FOREIGN KEY (uid) REFERENCES public.accounts(uid) ON DELETE CASCADE;


--
-- Name: mail_tokens mail_tokens_account; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_tokens
    ADD CONSTRAINT mail_tokens_account FOREIGN KEY (uid) REFERENCES public.accounts(uid) ON DELETE CASCADE;


--
-- Name: message_codes message_codes_account; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.message_codes
    ADD CONSTRAINT message_codes_account FOREIGN KEY (uid) REFERENCES public.accounts(uid) ON DELETE CASCADE;


--
-- Name: recovery_codes recovery_codes_factor; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_factor FOREIGN KEY (factor) REFERENCES public.factors(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict pJUCZXZdHxXUkLZEc2nvMXDuNnfYb2WbcF6KqJEJJuMbsnIDdN3laep251br245

